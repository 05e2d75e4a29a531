// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/handle.hpp"
#include "falx/kernel_bundle.hpp"
#include "sycl/backend.hpp"
#include "sycl/bundle_state.hpp"
#include "sycl/detail/internals.hpp"
#include "sycl/detail/owner_order.hpp"
#include "sycl/info/kernel.hpp"
#include "sycl/kernel_id.hpp"

#include <cstddef>

namespace sycl {

class context;
class device;
class queue;

namespace detail {
class kernel_bundle_base;
} // namespace detail

/// A kernel of an executable kernel bundle (SYCL 2020 §4.11.13).
class kernel : public detail::owner_ordered<kernel> {
public:
  kernel() = delete;

  backend get_backend() const noexcept;
  context get_context() const;
  kernel_bundle<bundle_state::executable> get_kernel_bundle() const;

  /// \p Param is one of info::kernel.
  template <typename Param>
  typename Param::return_type get_info() const;
  /// \p Param is one of info::kernel_device_specific. Throws errc::invalid if the kernel is not compatible
  /// with the device.
  template <typename Param>
  typename Param::return_type get_info(const device& dev) const;

  /// Limits of launches of this kernel on a queue (sycl_ext_oneapi_launch_queries), by the descriptors of
  /// sycl/ext/oneapi/experimental/launch_queries.hpp.
  template <typename Param>
  auto ext_oneapi_get_info(const queue& q) const {
    return Param::query(*this, q);
  }
  template <typename Param>
  auto ext_oneapi_get_info(const queue& q, const range<1>& r, std::size_t bytes = 0) const {
    return Param::query(*this, q, r, bytes);
  }
  template <typename Param>
  auto ext_oneapi_get_info(const queue& q, const range<2>& r, std::size_t bytes = 0) const {
    return Param::query(*this, q, r, bytes);
  }
  template <typename Param>
  auto ext_oneapi_get_info(const queue& q, const range<3>& r, std::size_t bytes = 0) const {
    return Param::query(*this, q, r, bytes);
  }

  /// Throws errc::backend_mismatch if \p Param belongs to another backend.
  template <typename Param>
  typename Param::return_type get_backend_info() const {
    detail::throw_foreign_information("kernel");
  }

  /// Equal if they are the same kernel of equal bundles.
  friend bool operator==(const kernel& a, const kernel& b) noexcept { return a.equals(b); }
  friend bool operator!=(const kernel& a, const kernel& b) noexcept { return !a.equals(b); }

private:
  friend struct std::hash<kernel>;
  friend struct detail::internals;
  friend class detail::kernel_bundle_base;
  kernel(falx::handle<falx::kernel_bundle_state> bundle, kernel_id id) noexcept
      : state_(static_cast<falx::handle<falx::kernel_bundle_state>&&>(bundle)), id_(id) {}
  bool equals(const kernel& other) const noexcept;

  falx::handle<falx::kernel_bundle_state> state_;
  kernel_id id_;
};

} // namespace sycl

template <>
struct std::hash<sycl::kernel> {
  std::size_t operator()(const sycl::kernel& object) const noexcept {
    return std::hash<sycl::kernel_id>()(object.id_);
  }
};
