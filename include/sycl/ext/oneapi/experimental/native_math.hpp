// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/math_floating_point.hpp"
#include "sycl/math_native.hpp"

#include <type_traits>

/// \file
/// sycl_ext_oneapi_native_math: exp2 and tanh as fast as the device has them.

namespace sycl {
namespace detail {

// The JIT knows it by its assembler name and has an instruction for it on GPUs (native_functions.cpp).
inline float native_tanh(float x) noexcept __asm__("falx.native_tanh");
inline float native_tanh(float x) noexcept {
  return sycl::tanh(x);
}

/// Scalars and arrays of float or half.
template <class T, bool TakesFloat>
using if_narrow_math = std::enable_if_t<std::is_same_v<typename shape<T>::element, half> ||
                                            (TakesFloat && std::is_same_v<typename shape<T>::element, float>),
                                        shape_of<T>>;

} // namespace detail

namespace ext::oneapi::experimental::native {

/// Of half; that of float is sycl::native::exp2, which is found here, too.
template <class T, class S = sycl::detail::if_narrow_math<T, false>>
inline typename S::value exp2(const T& x) {
  using E = typename S::element;
  return sycl::detail::lift<S, E>([](E a) { return E(sycl::native::exp2(static_cast<float>(a))); }, x);
}
using sycl::native::exp2;

template <class T, class S = sycl::detail::if_narrow_math<T, true>>
inline typename S::value tanh(const T& x) {
  using E = typename S::element;
  return sycl::detail::lift<S, E>([](E a) { return E(sycl::detail::native_tanh(static_cast<float>(a))); }, x);
}

} // namespace ext::oneapi::experimental::native
} // namespace sycl
