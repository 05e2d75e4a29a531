// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/detail/elementwise.hpp"

#include <cstdio>

/// \file
/// printf for kernels, as DPC++ declares it; it has no document. std::printf does the same in kernels.

namespace sycl {
namespace detail {

/// What a variable argument list takes: half and bfloat16 become double, as float does by itself.
template <class T>
auto printed(const T& value) {
  static_assert(!has_elements<T>, "printf takes the elements of a vec or marray one by one");
  if constexpr (is_floating<T> && sizeof(T) == 2)
    return static_cast<double>(static_cast<float>(value));
  else
    return value;
}

} // namespace detail

namespace ext::oneapi::experimental {

/// Prints as std::printf does, in one piece for each work-item. \p format may be in any address space, which
/// is what programs for DPC++ declare constant strings in. The result is std::printf's on hosts and CPUs, and
/// 0 on GPUs, which print when the program waits for the kernel.
template <class FormatT, class... Args>
int printf(const FormatT* format, Args... args) {
  return ::printf((const char*)format, sycl::detail::printed(args)...);
}

} // namespace ext::oneapi::experimental
} // namespace sycl
