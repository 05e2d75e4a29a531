// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/handle.hpp"
#include "falx/kernel_bundle.hpp"
#include "sycl/bundle_state.hpp"
#include "sycl/detail/internals.hpp"
#include "sycl/detail/owner_order.hpp"

#include <cstddef>
#include <vector>

namespace sycl {

class device;
class kernel_id;

namespace detail {

/// What device images of all states have in common.
class device_image_base {
public:
  bool has_kernel(const kernel_id& kernelId) const noexcept;
  bool has_kernel(const kernel_id& kernelId, const device& dev) const noexcept;

protected:
  explicit device_image_base(falx::handle<falx::device_image_state> state) noexcept
      : state_(static_cast<falx::handle<falx::device_image_state>&&>(state)) {}

  bool equals(const device_image_base& other) const noexcept;
  std::size_t hash() const noexcept;

  falx::handle<falx::device_image_state> state_;
};

} // namespace detail

/// The smallest part of a kernel bundle that is compiled as one (SYCL 2020 §4.11.14). Falx's hold one kernel.
template <bundle_state State>
class device_image : private detail::device_image_base, public detail::owner_ordered<device_image<State>> {
public:
  device_image() = delete;

  using device_image_base::has_kernel;

  /// Equal if they hold the same kernel with the same values of specialization constants.
  friend bool operator==(const device_image& a, const device_image& b) noexcept { return a.equals(b); }
  friend bool operator!=(const device_image& a, const device_image& b) noexcept { return !a.equals(b); }

private:
  friend struct detail::internals;
  friend struct std::hash<device_image>;
  explicit device_image(falx::handle<falx::device_image_state> state) noexcept
      : device_image_base(static_cast<falx::handle<falx::device_image_state>&&>(state)) {}
};

} // namespace sycl

template <sycl::bundle_state State>
struct std::hash<sycl::device_image<State>> {
  std::size_t operator()(const sycl::device_image<State>& object) const noexcept { return object.hash(); }
};
