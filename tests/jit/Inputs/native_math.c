// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// The JIT's mathematical functions of floats as native code, in the place of the C library's: for kernels of
/// generate_math.py, whose functions are listed here. Compiled with hidden symbols, so that shared libraries
/// keep theirs.

#include "../../../jit/math/cpu_math_library.c"

#define OF_ONE(name)                                                                                         \
  float name##f(float x) {                                                                                   \
    return __falx_cpu_##name##f(x);                                                                          \
  }
#define OF_TWO(name)                                                                                         \
  float name##f(float x, float y) {                                                                          \
    return __falx_cpu_##name##f(x, y);                                                                       \
  }
OF_ONE(acosh)
OF_ONE(asinh)
OF_ONE(atanh)
OF_ONE(cos)
OF_ONE(cosh)
OF_ONE(erf)
OF_ONE(erfc)
OF_ONE(exp)
OF_ONE(exp10)
OF_ONE(exp2)
OF_ONE(expm1)
OF_ONE(log)
OF_ONE(log10)
OF_ONE(log1p)
OF_ONE(log2)
OF_ONE(sin)
OF_ONE(sinh)
OF_ONE(tan)
OF_ONE(tanh)
OF_TWO(pow)
