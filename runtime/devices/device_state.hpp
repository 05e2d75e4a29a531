// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "backends/backend.hpp"
#include "device_aspects.hpp"
#include "falx/handle.hpp"
#include "process/ref_counted.hpp"
#include "sycl/info/enums.hpp"

#include <compare>
#include <cstdint>
#include <span>
#include <string>

namespace falx {

class platform_state;

/// info::device::mem_base_addr_align, the same for all devices: the size of the largest type, double16 or
/// long16.
constexpr std::uint32_t MEM_BASE_ADDR_ALIGN_BITS = 128 * 8;

/// What sycl::device holds: one visible device of a platform, or a part of one. There is one object per
/// device for the life of the process, so handles and addresses identify devices. Immutable; thread-safe.
class device_state final : public ref_counted {
public:
  device_state(platform_state& platform, falx::backend_device& backend) noexcept
      : platform_(platform), backend_(backend) {}

  /// How a part came about (SYCL 2020 §4.6.4.2).
  struct partition {
    device_state* parent = nullptr; // null for a device that is no part
    sycl::info::partition_property property = sycl::info::partition_property::no_partition;
    sycl::info::partition_affinity_domain domain = sycl::info::partition_affinity_domain::not_applicable;
    auto operator<=>(const partition&) const = default;
  };
  device_state(const partition& from, falx::backend_device& backend) noexcept
      : platform_(from.parent->platform_), backend_(backend), partition_(from) {}

  platform_state& platform() const noexcept { return platform_; }
  falx::backend_device& backend() const noexcept { return backend_; }
  const device_description& description() const noexcept { return backend_.description(); }

  const partition& from() const noexcept { return partition_; }
  /// The device that this one is a part of a part of; itself if it is none.
  const device_state& root() const noexcept {
    return partition_.parent != nullptr ? partition_.parent->root() : *this;
  }
  /// Whether this is \p other or a part of it, or a part of a part.
  bool is_within(const device_state& other) const noexcept {
    return this == &other || (partition_.parent != nullptr && partition_.parent->is_within(other));
  }

  bool has(sycl::aspect feature) const noexcept { return has_aspect(description(), feature); }
  /// For device_type::automatic: whether this is the first device of its platform.
  bool is_of_type(sycl::info::device_type type) const noexcept;

private:
  platform_state& platform_;
  falx::backend_device& backend_;
  const partition partition_;
};

/// Every device that FALX_DEVICE_SELECTOR or ONEAPI_DEVICE_SELECTOR leaves visible, platform by platform.
/// Throws as the_environment does, whichever variable is wrong (diagnostics/environment.hpp).
std::span<const handle<device_state>> all_devices();

/// The device that default_selector_v prefers: the first GPU, else the first device. Throws sycl::exception
/// with errc::runtime if none is visible.
device_state& default_device();

/// The first visible device that works in the host's memory; null if there is none.
device_state* host_memory_user();

/// A list of the visible devices for messages, with the environment variable that hides others, if one does.
std::string visible_devices_in_words();

void retain(device_state*) noexcept;
void release(device_state*) noexcept;

} // namespace falx
