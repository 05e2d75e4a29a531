// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace sycl {

namespace detail {
struct kernel_handler_maker;
} // namespace detail

/// What a kernel function may take as its last parameter (SYCL 2020 §4.9.6).
class kernel_handler {
public:
  kernel_handler(const kernel_handler&) = default;
  kernel_handler& operator=(const kernel_handler&) = default;

private:
  friend struct detail::kernel_handler_maker;
  constexpr kernel_handler() noexcept {}
};

namespace detail {
struct kernel_handler_maker {
  static constexpr kernel_handler make() noexcept { return kernel_handler(); }
};
} // namespace detail

} // namespace sycl
