// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/handle.hpp"
#include "sycl/backend.hpp"
#include "sycl/detail/internals.hpp"
#include "sycl/detail/owner_order.hpp"
#include "sycl/exception.hpp"
#include "sycl/info/context.hpp"
#include "sycl/property_list.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace falx {
class context_state;
void retain(context_state*) noexcept;
void release(context_state*) noexcept;
} // namespace falx

namespace sycl {

class device;
class platform;

namespace usm {
enum class alloc;
} // namespace usm
namespace ext::oneapi::experimental {
class memory_pool;
} // namespace ext::oneapi::experimental

/// Devices of one platform that share memory (SYCL 2020 §4.6.3). Copies of a context are equal to it; two
/// contexts constructed apart are not.
class context : public detail::owner_ordered<context> {
public:
  /// A context with all devices of the platform of the default device.
  explicit context(const property_list& propList = {});
  explicit context(async_handler asyncHandler, const property_list& propList = {});

  explicit context(const device& dev, const property_list& propList = {});
  explicit context(const device& dev, async_handler asyncHandler, const property_list& propList = {});

  explicit context(const platform& plt, const property_list& propList = {});
  explicit context(const platform& plt, async_handler asyncHandler, const property_list& propList = {});

  /// Throws errc::invalid if \p deviceList is empty or its devices are of more than one platform.
  explicit context(const std::vector<device>& deviceList, const property_list& propList = {});
  explicit context(const std::vector<device>& deviceList, async_handler asyncHandler,
                   const property_list& propList = {});

  template <typename Property>
  bool has_property() const noexcept {
    return properties().template has_property<Property>();
  }
  /// Throws errc::invalid if the context was constructed without the property.
  template <typename Property>
  Property get_property() const {
    return properties().template get_property<Property>();
  }

  backend get_backend() const noexcept;
  platform get_platform() const;
  std::vector<device> get_devices() const;

  /// SYCL extension sycl_ext_oneapi_async_memory_alloc: the pool that async_malloc takes memory from. Throws
  /// errc::invalid if the device is not in the context, and for another kind than usm::alloc::device.
  ext::oneapi::experimental::memory_pool ext_oneapi_get_default_memory_pool(const device& dev,
                                                                            usm::alloc kind) const;

  /// \p Param is one of info::context.
  template <typename Param>
  typename Param::return_type get_info() const;

  /// Throws errc::backend_mismatch if \p Param belongs to another backend.
  template <typename Param>
  typename Param::return_type get_backend_info() const {
    detail::throw_foreign_information("context");
  }

  friend bool operator==(const context& a, const context& b) noexcept { return a.state_ == b.state_; }
  friend bool operator!=(const context& a, const context& b) noexcept { return a.state_ != b.state_; }

private:
  friend struct detail::internals;
  explicit context(falx::handle<falx::context_state> state) noexcept
      : state_(static_cast<falx::handle<falx::context_state>&&>(state)) {}
  const property_list& properties() const noexcept;

  falx::handle<falx::context_state> state_;
};

} // namespace sycl

template <>
struct std::hash<sycl::context> {
  std::size_t operator()(const sycl::context& object) const noexcept {
    return std::hash<const void*>()(sycl::detail::internals::state(object).get());
  }
};
