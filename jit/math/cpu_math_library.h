// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

typedef unsigned u32;
typedef int i32;
typedef unsigned long u64;
typedef long i64;

/// Parts of functions, which have to be whole when they become part of a kernel.
#define INLINE static inline __attribute__((always_inline))

/// x * 2^exponent, of which the last 32 bits count. The JIT makes them ldexp where that is an instruction of
/// vectors (targets/cpu/math_functions.cpp).
__attribute__((const)) double __falx_cpu_scaled(double x, u64 exponent);
__attribute__((const)) float __falx_cpu_scaledf(float x, i32 exponent);
