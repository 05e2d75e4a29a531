// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "backends/backend.hpp"
#include "device_state.hpp"
#include "falx/handle.hpp"
#include "process/ref_counted.hpp"

#include <mutex>
#include <span>
#include <vector>

namespace falx {

class context_state;
void retain(context_state*) noexcept;
void release(context_state*) noexcept;

/// What sycl::platform holds: one backend with its visible devices. Lives as long as the process.
class platform_state final : public ref_counted {
public:
  explicit platform_state(falx::backend& backend) : backend_(backend) {}

  falx::backend& backend() const noexcept { return backend_; }
  std::span<const handle<device_state>> devices() const noexcept { return devices_; }

  /// The platform's default context (SYCL 2020 §4.6.2): all devices, no async handler.
  handle<context_state> default_context();

private:
  friend class visible_devices;
  falx::backend& backend_;
  std::vector<handle<device_state>> devices_;
  std::once_flag default_context_made_;
  handle<context_state> default_context_;
};

/// Platforms with at least one visible device.
std::span<const handle<platform_state>> all_platforms();

void retain(platform_state*) noexcept;
void release(platform_state*) noexcept;

} // namespace falx
