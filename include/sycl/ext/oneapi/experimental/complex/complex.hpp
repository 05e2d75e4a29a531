// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/ext/oneapi/experimental/complex/complex_math.hpp"
#include "sycl/ext/oneapi/experimental/complex/complex_number.hpp"
#include "sycl/group_algorithms.hpp"

/// \file
/// All of sycl_ext_oneapi_complex, where DPC++ has it, and sycl_ext_oneapi_complex_algorithms.

namespace sycl::ext::oneapi::experimental {

// The algorithms take complex numbers as they do any type; DPC++ has them of these here.
using sycl::exclusive_scan_over_group;
using sycl::inclusive_scan_over_group;
using sycl::joint_exclusive_scan;
using sycl::joint_inclusive_scan;
using sycl::joint_reduce;
using sycl::reduce_over_group;

/// Imaginary numbers, as the standard library's of std::complex; DPC++ has them without a document.
inline namespace literals {
inline namespace complex_literals {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuser-defined-literals"
constexpr complex<double> operator""i(long double imaginary) {
  return {0.0, static_cast<double>(imaginary)};
}
constexpr complex<double> operator""i(unsigned long long imaginary) {
  return {0.0, static_cast<double>(imaginary)};
}
constexpr complex<float> operator""if(long double imaginary) {
  return {0.0f, static_cast<float>(imaginary)};
}
constexpr complex<float> operator""if(unsigned long long imaginary) {
  return {0.0f, static_cast<float>(imaginary)};
}
#pragma GCC diagnostic pop
} // namespace complex_literals
} // namespace literals

} // namespace sycl::ext::oneapi::experimental
