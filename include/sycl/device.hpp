// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/handle.hpp"
#include "sycl/aspect.hpp"
#include "sycl/backend.hpp"
#include "sycl/detail/internals.hpp"
#include "sycl/detail/owner_order.hpp"
#include "sycl/device_selector.hpp"
#include "sycl/ext/intel/info/device.hpp"
#include "sycl/ext/oneapi/info/device.hpp"
#include "sycl/ext/oneapi/peer_access.hpp"
#include "sycl/info/device.hpp"
#include "sycl/info/enums.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace sycl::ext::oneapi::experimental {
enum class architecture : std::uint32_t;
enum class arch_category : std::uint32_t;
} // namespace sycl::ext::oneapi::experimental

namespace sycl {

class context;
class platform;

/// A device that runs kernels (SYCL 2020 §4.6.4). Copies of a device are equal to it.
class device : public detail::owner_ordered<device> {
public:
  /// The device that default_selector_v selects. Throws errc::runtime if no device is visible.
  device();

  /// The device that \p deviceSelector gives the highest score. Throws errc::runtime if all are negative.
  template <typename DeviceSelector, class = detail::if_device_selector<DeviceSelector>>
  explicit device(const DeviceSelector& deviceSelector)
      : device(detail::select_device_with(deviceSelector)) {}

  backend get_backend() const noexcept;

  bool is_cpu() const;
  bool is_gpu() const;
  bool is_accelerator() const;

  platform get_platform() const;

  /// \p Param is one of info::device.
  template <typename Param>
  typename Param::return_type get_info() const;

  /// Throws errc::backend_mismatch if \p Param belongs to another backend.
  template <typename Param>
  typename Param::return_type get_backend_info() const {
    detail::throw_foreign_information("device");
  }

  bool has(aspect asp) const;

  /// Deprecated: use has.
  bool has_extension(const std::string& extension) const;

  /// Devices that consist of some of this device's compute units, on which alone their work runs (§4.6.4.2).
  /// The same partition gives the same devices. info::device::partition_properties and
  /// partition_affinity_domains tell what a device supports, which are the CPU and its parts; for what it
  /// does not, these throw errc::feature_not_supported, and errc::invalid for more compute units than there
  /// are.
  ///
  /// As many devices as there can be of \p count compute units each.
  template <info::partition_property Prop>
  std::enable_if_t<Prop == info::partition_property::partition_equally, std::vector<device>>
  create_sub_devices(std::size_t count) const {
    return partition_equally(count);
  }
  /// One device for each number that is not zero, of so many compute units.
  template <info::partition_property Prop>
  std::enable_if_t<Prop == info::partition_property::partition_by_counts, std::vector<device>>
  create_sub_devices(const std::vector<std::size_t>& counts) const {
    return partition_by_counts(counts);
  }
  /// One device for each part of the memory system that compute units share.
  template <info::partition_property Prop>
  std::enable_if_t<Prop == info::partition_property::partition_by_affinity_domain, std::vector<device>>
  create_sub_devices(info::partition_affinity_domain domain) const {
    return partition_by_affinity_domain(domain);
  }

  /// SYCL extension sycl_ext_oneapi_device_default_context: that of queues which are constructed from the
  /// device.
  context ext_oneapi_get_default_context() const;
  /// SYCL extension sycl_ext_oneapi_platform_device_index: where the device is in platform::get_devices.
  /// Throws errc::invalid for a sub-device.
  std::size_t ext_oneapi_index_within_platform() const;

  /// SYCL extension sycl_ext_oneapi_device_architecture.
  bool ext_oneapi_architecture_is(ext::oneapi::experimental::architecture arch) const;
  bool ext_oneapi_architecture_is(ext::oneapi::experimental::arch_category category) const;
  /// SYCL extension sycl_ext_oneapi_peer_access: device USM of another device that kernels of this one reach.
  bool ext_oneapi_can_access_peer(
      const device& peer, ext::oneapi::peer_access value = ext::oneapi::peer_access::access_supported) const;
  /// Throws errc::feature_not_supported if the devices cannot, errc::invalid if access is enabled already.
  void ext_oneapi_enable_peer_access(const device& peer);
  /// Throws errc::invalid if access is not enabled.
  void ext_oneapi_disable_peer_access(const device& peer);

  /// All visible devices of a type; for device_type::automatic the first of each platform.
  static std::vector<device> get_devices(info::device_type type = info::device_type::all);

  friend bool operator==(const device& a, const device& b) noexcept { return a.state_ == b.state_; }
  friend bool operator!=(const device& a, const device& b) noexcept { return a.state_ != b.state_; }

private:
  friend struct detail::internals;
  explicit device(falx::handle<falx::device_state> state) noexcept
      : state_(static_cast<falx::handle<falx::device_state>&&>(state)) {}
  std::vector<device> partition_equally(std::size_t count) const;
  std::vector<device> partition_by_counts(const std::vector<std::size_t>& counts) const;
  std::vector<device> partition_by_affinity_domain(info::partition_affinity_domain domain) const;

  falx::handle<falx::device_state> state_;
};

} // namespace sycl

template <>
struct std::hash<sycl::device> {
  std::size_t operator()(const sycl::device& object) const noexcept {
    return std::hash<const void*>()(sycl::detail::internals::state(object).get());
  }
};
