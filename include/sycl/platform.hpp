// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/handle.hpp"
#include "sycl/aspect.hpp"
#include "sycl/backend.hpp"
#include "sycl/detail/internals.hpp"
#include "sycl/detail/owner_order.hpp"
#include "sycl/device_selector.hpp"
#include "sycl/feature_test.hpp"
#include "sycl/info/enums.hpp"
#include "sycl/info/platform.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace falx {
class platform_state;
void retain(platform_state*) noexcept;
void release(platform_state*) noexcept;
} // namespace falx

namespace sycl {

class context;
class device;

/// One backend of this machine with its devices (SYCL 2020 §4.6.2). Copies of a platform are equal to it.
class platform : public detail::owner_ordered<platform> {
public:
  /// The platform of the device that default_selector_v selects.
  platform();

  /// The platform of the device that \p deviceSelector selects.
  template <typename DeviceSelector, class = detail::if_device_selector<DeviceSelector>>
  explicit platform(const DeviceSelector& deviceSelector)
      : platform(of(detail::select_device_with(deviceSelector))) {}

  backend get_backend() const noexcept;

  /// The platform's devices of a type; for device_type::automatic its first device alone.
  std::vector<device> get_devices(info::device_type type = info::device_type::all) const;

  /// \p Param is one of info::platform.
  template <typename Param>
  typename Param::return_type get_info() const;

  /// Throws errc::backend_mismatch if \p Param belongs to another backend.
  template <typename Param>
  typename Param::return_type get_backend_info() const {
    detail::throw_foreign_information("platform");
  }

  /// SYCL extension sycl_khr_default_context: the context of queues that are constructed without one, with
  /// all root devices of the platform.
  context khr_get_default_context() const;

  /// The same by the name of sycl_ext_oneapi_default_context.
  context ext_oneapi_get_default_context() const;

  /// SYCL extension sycl_ext_oneapi_platform_device_index. Throws errc::invalid if there are not so many.
  device ext_oneapi_device_at_index(std::size_t index) const;
  /// SYCL extension sycl_ext_oneapi_composite_device: none.
  std::vector<device> ext_oneapi_get_composite_devices() const;

  /// True if all devices of the platform have the aspect.
  bool has(aspect asp) const;

  /// Deprecated: use has.
  bool has_extension(const std::string& extension) const;

  /// All platforms with visible devices, always in the same order.
  static std::vector<platform> get_platforms();

  friend bool operator==(const platform& a, const platform& b) noexcept { return a.state_ == b.state_; }
  friend bool operator!=(const platform& a, const platform& b) noexcept { return a.state_ != b.state_; }

private:
  friend struct detail::internals;
  explicit platform(falx::handle<falx::platform_state> state) noexcept
      : state_(static_cast<falx::handle<falx::platform_state>&&>(state)) {}
  static falx::handle<falx::platform_state> of(const falx::handle<falx::device_state>& device);

  falx::handle<falx::platform_state> state_;
};

} // namespace sycl

template <>
struct std::hash<sycl::platform> {
  std::size_t operator()(const sycl::platform& object) const noexcept {
    return std::hash<const void*>()(sycl::detail::internals::state(object).get());
  }
};
