// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/device_builtins.hpp"

#include <type_traits>

namespace sycl {

namespace detail {
struct kernel_handler_maker;
} // namespace detail

/// What a kernel function may take as its last parameter (SYCL 2020 §4.9.6).
class kernel_handler {
public:
  kernel_handler(const kernel_handler&) = default;
  kernel_handler& operator=(const kernel_handler&) = default;

  /// The value that the command group or its kernel bundle gave the constant, else the default value. It is a
  /// constant when machine code is made.
  template <auto& SpecName>
  typename std::remove_reference_t<decltype(SpecName)>::value_type get_specialization_constant() const {
    using type = typename std::remove_reference_t<decltype(SpecName)>::value_type;
    return *static_cast<const type*>(__falx_specialization_constant(__builtin_addressof(SpecName)));
  }

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
