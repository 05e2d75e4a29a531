// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/handle.hpp"
#include "falx/memory.hpp"
#include "sycl/context.hpp"
#include "sycl/detail/internals.hpp"
#include "sycl/device.hpp"
#include "sycl/ext/oneapi/experimental/async_alloc/memory_pool_properties.hpp"
#include "sycl/feature_test.hpp"
#include "sycl/queue.hpp"
#include "sycl/usm.hpp"

#include <cstddef>

namespace sycl::ext::oneapi::experimental {

/// Device memory that commands allocate from and free into (sycl_ext_oneapi_async_memory_alloc). Copies are
/// the same pool. It goes when the last copy and the last allocation are gone.
class memory_pool {
public:
  /// Throws errc::invalid for another kind than usm::alloc::device, and for a device that is not in the
  /// context.
  template <typename Properties = empty_properties_t>
  memory_pool(const context& ctx, const device& dev, usm::alloc kind, Properties props = {})
      : memory_pool(ctx, dev, kind, limits_of(props)) {}
  template <typename Properties = empty_properties_t>
  memory_pool(const queue& que, usm::alloc kind, Properties props = {})
      : memory_pool(que.get_context(), que.get_device(), kind, limits_of(props)) {}

  context get_context() const { return context_; }
  device get_device() const;
  usm::alloc get_alloc_kind() const { return usm::alloc::device; }
  /// In bytes, as all that follow.
  std::size_t get_threshold() const;
  /// What the pool has of the device's memory, allocated or not.
  std::size_t get_reserved_size_current() const;
  /// What is allocated.
  std::size_t get_used_size_current() const;
  /// Without effect if the threshold is as large already.
  void increase_threshold_to(std::size_t newThreshold);

  friend bool operator==(const memory_pool& a, const memory_pool& b) noexcept { return a.state_ == b.state_; }
  friend bool operator!=(const memory_pool& a, const memory_pool& b) noexcept { return a.state_ != b.state_; }

private:
  friend struct sycl::detail::internals;
  friend class sycl::context;
  memory_pool(const context& ctx, falx::handle<falx::memory_pool_state> state) noexcept
      : context_(ctx), state_(static_cast<falx::handle<falx::memory_pool_state>&&>(state)) {}
  memory_pool(const context& ctx, const device& dev, usm::alloc kind, const falx::memory_pool_limits& limits);

  template <typename Properties>
  static falx::memory_pool_limits limits_of([[maybe_unused]] const Properties& props) {
    static_assert(is_property_list_v<Properties>,
                  "the properties of a memory_pool are an object of class properties");
    falx::memory_pool_limits limits;
    if constexpr (Properties::template has_property<initial_threshold>())
      limits.threshold = props.template get_property<initial_threshold>().value;
    if constexpr (Properties::template has_property<maximum_size>())
      limits.maximum = props.template get_property<maximum_size>().value;
    limits.is_zero = Properties::template has_property<zero_init>();
    return limits;
  }

  context context_;
  falx::handle<falx::memory_pool_state> state_;
};

} // namespace sycl::ext::oneapi::experimental

template <>
struct std::hash<sycl::ext::oneapi::experimental::memory_pool> {
  std::size_t operator()(const sycl::ext::oneapi::experimental::memory_pool& pool) const noexcept {
    return std::hash<const void*>()(sycl::detail::internals::state(pool).get());
  }
};
