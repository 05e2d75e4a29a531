// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/half.hpp"
#include "sycl/vec.hpp"

#include <cstdint>

/// \file
/// Names of vectors of 2, 3, 4, 8 and 16 elements: float4, uchar16 … (SYCL 2020 §4.14.2.2).

namespace sycl {

#define FALX_ALIASES(name, type)                                                                             \
  using name##2 = vec<type, 2>;                                                                              \
  using name##3 = vec<type, 3>;                                                                              \
  using name##4 = vec<type, 4>;                                                                              \
  using name##8 = vec<type, 8>;                                                                              \
  using name##16 = vec<type, 16>;
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
#undef FALX_ALIASES

} // namespace sycl
