// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/half.hpp"
#include "sycl/marray.hpp"

#include <cstdint>

/// \file
/// Names of arrays of 2, 3, 4, 8 and 16 elements: mfloat4, muchar16 … (SYCL 2020 §4.14.3.2).

namespace sycl {

#define FALX_ALIASES(name, type)                                                                             \
  using m##name##2 = marray<type, 2>;                                                                        \
  using m##name##3 = marray<type, 3>;                                                                        \
  using m##name##4 = marray<type, 4>;                                                                        \
  using m##name##8 = marray<type, 8>;                                                                        \
  using m##name##16 = marray<type, 16>;
FALX_ALIASES(char, std::int8_t)
FALX_ALIASES(uchar, std::uint8_t)
FALX_ALIASES(short, std::int16_t)
FALX_ALIASES(ushort, std::uint16_t)
FALX_ALIASES(int, std::int32_t)
FALX_ALIASES(uint, std::uint32_t)
FALX_ALIASES(long, std::int64_t)
FALX_ALIASES(ulong, std::uint64_t)
FALX_ALIASES(half, half)
FALX_ALIASES(float, float)
FALX_ALIASES(double, double)
FALX_ALIASES(bool, bool)
#undef FALX_ALIASES

/// OpenCL's names of scalar types (§C.8), which programs use as others do.
namespace opencl {
using cl_bool = bool;
using cl_char = std::int8_t;
using cl_uchar = std::uint8_t;
using cl_short = std::int16_t;
using cl_ushort = std::uint16_t;
using cl_int = std::int32_t;
using cl_uint = std::uint32_t;
using cl_long = std::int64_t;
using cl_ulong = std::uint64_t;
using cl_half = half;
using cl_float = float;
using cl_double = double;
} // namespace opencl

} // namespace sycl
