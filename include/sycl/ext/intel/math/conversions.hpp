// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/bit_cast.hpp"
#include "sycl/detail/vec_convert.hpp"
#include "sycl/ext/oneapi/bfloat16.hpp"
#include "sycl/half.hpp"

#include <cstdint>

/// \file
/// Conversions of sycl::ext::intel::math, as CUDA names them: _rn to nearest even, _rz towards zero, _ru up,
/// _rd down. They have no document. A value that the integer type does not have gives no particular result.

namespace sycl::ext::intel::math {

using oneapi::bfloat16;

#define FALX_CONVERSION(name, From, To, suffix, mode)                                                        \
  inline To name##suffix(From x) {                                                                           \
    return sycl::detail::convert_element<To, rounding_mode::mode>(x);                                        \
  }
#define FALX_CONVERSIONS(name, From, To)                                                                     \
  FALX_CONVERSION(name, From, To, _rn, rte)                                                                  \
  FALX_CONVERSION(name, From, To, _rz, rtz)                                                                  \
  FALX_CONVERSION(name, From, To, _ru, rtp)                                                                  \
  FALX_CONVERSION(name, From, To, _rd, rtn)
#define FALX_EXACT_CONVERSION(name, From, To) FALX_CONVERSION(name, From, To, , rte)

FALX_CONVERSIONS(float2int, float, int)
FALX_CONVERSIONS(float2uint, float, unsigned int)
FALX_CONVERSIONS(float2ll, float, long long)
FALX_CONVERSIONS(float2ull, float, unsigned long long)
FALX_CONVERSIONS(double2int, double, int)
FALX_CONVERSIONS(double2uint, double, unsigned int)
FALX_CONVERSIONS(double2ll, double, long long)
FALX_CONVERSIONS(double2ull, double, unsigned long long)
FALX_CONVERSIONS(double2float, double, float)
FALX_CONVERSIONS(int2float, int, float)
FALX_CONVERSIONS(uint2float, unsigned int, float)
FALX_CONVERSIONS(ll2float, long long, float)
FALX_CONVERSIONS(ull2float, unsigned long long, float)
FALX_CONVERSIONS(ll2double, long long, double)
FALX_CONVERSIONS(ull2double, unsigned long long, double)
FALX_EXACT_CONVERSION(int2double, int, double)
FALX_EXACT_CONVERSION(uint2double, unsigned int, double)

FALX_CONVERSIONS(float2half, float, half)
FALX_EXACT_CONVERSION(double2half, double, half) // to nearest even
FALX_EXACT_CONVERSION(half2float, half, float)
FALX_CONVERSIONS(half2short, half, short)
FALX_CONVERSIONS(half2ushort, half, unsigned short)
FALX_CONVERSIONS(half2int, half, int)
FALX_CONVERSIONS(half2uint, half, unsigned int)
FALX_CONVERSIONS(half2ll, half, long long)
FALX_CONVERSIONS(half2ull, half, unsigned long long)
FALX_CONVERSIONS(short2half, short, half)
FALX_CONVERSIONS(ushort2half, unsigned short, half)
FALX_CONVERSIONS(int2half, int, half)
FALX_CONVERSIONS(uint2half, unsigned int, half)
FALX_CONVERSIONS(ll2half, long long, half)
FALX_CONVERSIONS(ull2half, unsigned long long, half)

FALX_CONVERSIONS(float2bfloat16, float, bfloat16)
FALX_EXACT_CONVERSION(float2bfloat16, float, bfloat16) // to nearest even
FALX_EXACT_CONVERSION(bfloat162float, bfloat16, float)
#undef FALX_EXACT_CONVERSION
#undef FALX_CONVERSIONS
#undef FALX_CONVERSION

/// The same bits as another type.
#define FALX_SAME_BITS(name, From, To)                                                                       \
  inline To name(From x) {                                                                                   \
    return sycl::bit_cast<To>(x);                                                                            \
  }
FALX_SAME_BITS(float_as_int, float, int)
FALX_SAME_BITS(float_as_uint, float, unsigned int)
FALX_SAME_BITS(int_as_float, int, float)
FALX_SAME_BITS(uint_as_float, unsigned int, float)
FALX_SAME_BITS(double_as_longlong, double, long long)
FALX_SAME_BITS(longlong_as_double, long long, double)
FALX_SAME_BITS(half_as_short, half, short)
FALX_SAME_BITS(half_as_ushort, half, unsigned short)
FALX_SAME_BITS(short_as_half, short, half)
FALX_SAME_BITS(ushort_as_half, unsigned short, half)
FALX_SAME_BITS(bfloat16_as_short, bfloat16, short)
FALX_SAME_BITS(bfloat16_as_ushort, bfloat16, unsigned short)
FALX_SAME_BITS(short_as_bfloat16, short, bfloat16)
FALX_SAME_BITS(ushort_as_bfloat16, unsigned short, bfloat16)
#undef FALX_SAME_BITS

} // namespace sycl::ext::intel::math
