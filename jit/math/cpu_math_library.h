// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

typedef unsigned u32;
typedef int i32;
typedef unsigned long u64;
typedef long i64;

/// Answered by the JIT (targets/cpu/math_functions.cpp): is ldexp an instruction of vectors?
_Bool __falx_has_vector_ldexp(void);
