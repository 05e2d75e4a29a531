// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

typedef unsigned u32;
typedef int i32;
typedef unsigned long u64;
typedef long i64;

/// x * 2^exponent. The JIT makes it ldexp where that is an instruction of vectors
/// (targets/cpu/math_functions.cpp).
__attribute__((const)) float __falx_cpu_scaledf(float x, i32 exponent);
