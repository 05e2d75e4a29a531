// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "falx/device_builtins.hpp"

#include <assert.h>
#include <math.h>

struct arguments {
  float* a;
  double* d;
  int* i;
  long* l;
  _Float16* h;
};
typedef float float4 __attribute__((ext_vector_type(4)));
extern "C" void elsewhere(int*);

#define KERNEL(name, ...)                                                                                    \
  extern "C" void name(const arguments& f) {                                                                 \
    const auto i = __falx_global_id_x();                                                                     \
    __VA_ARGS__;                                                                                             \
  }
#define OF_FLOAT(name) sum += name##f(f.a[i]);
#define OF_DOUBLE(name) sum += name(f.d[i]);
#define OF_FLOATS(name) sum += name##f(f.a[i], f.a[1]);
#define OF_DOUBLES(name) sum += name(f.d[i], f.d[1]);
#define ONE(apply)                                                                                           \
  apply(sin) apply(cos) apply(tan) apply(asin) apply(acos) apply(atan) apply(sinh) apply(cosh) apply(tanh)   \
      apply(asinh) apply(acosh) apply(atanh) apply(exp) apply(exp2) apply(exp10) apply(expm1) apply(log)     \
          apply(log2) apply(log10) apply(log1p) apply(logb) apply(cbrt) apply(erf) apply(erfc) apply(tgamma) \
              apply(lgamma) apply(round) apply(rint) apply(nearbyint) apply(sqrt) apply(fabs) apply(floor)   \
                  apply(ceil) apply(trunc)
#define TWO(apply)                                                                                           \
  apply(fmod) apply(pow) apply(hypot) apply(nextafter) apply(fdim) apply(remainder) apply(atan2) apply(fmax) \
      apply(fmin) apply(copysign)

// clang-format off
KERNEL(float_functions, float sum = 0; ONE(OF_FLOAT) TWO(OF_FLOATS) f.a[i] = sum)
KERNEL(double_functions, double sum = 0; ONE(OF_DOUBLE) TWO(OF_DOUBLES) f.d[i] = sum)
KERNEL(mixed_functions,
       f.a[i] = ldexpf(f.a[i], f.i[i]) + scalbnf(f.a[i], f.i[i]) + scalblnf(f.a[i], f.l[i]) +
                __builtin_powif(f.a[i], f.i[i]) + __builtin_roundevenf(f.a[i]);
       f.d[i] = ldexp(f.d[i], f.i[i]) + scalbn(f.d[i], f.i[i]) + scalbln(f.d[i], f.l[i]) +
                __builtin_powi(f.d[i], f.i[i]) + __builtin_roundeven(f.d[i]);
       f.l[i] = lrintf(f.a[i]) + llrintf(f.a[i]) + lroundf(f.a[i]) + llroundf(f.a[i]) + ilogbf(f.a[i]) +
                lrint(f.d[i]) + llrint(f.d[i]) + lround(f.d[i]) + llround(f.d[i]) + ilogb(f.d[i]))
KERNEL(functions_with_pointers, int e; float s, c; double t, u;
       f.a[i] = frexpf(f.a[i], &e) + e; f.d[i] = frexp(f.d[i], &e) + e;
       f.a[i] += modff(f.a[i], &s) + s; f.d[i] += modf(f.d[i], &t) + t;
       sincosf(f.a[i], &s, &c); f.a[i] += s * c; sincos(f.d[i], &t, &u); f.d[i] += t * u;
       f.a[i] += remquof(f.a[i], f.a[1], &e) + e; f.d[i] += remquo(f.d[i], f.d[1], &e) + e;
       f.a[i] += lgammaf_r(f.a[i], &e) + e; f.d[i] += lgamma_r(f.d[i], &e) + e)
KERNEL(double_sines, f.d[i] = sin(f.d[i]) + pow(f.d[i], f.d[1]))
KERNEL(half_functions,
       f.h[i] = __builtin_elementwise_exp(f.h[i]) + __builtin_elementwise_pow(f.h[i], f.h[1]))
KERNEL(vector_functions, float4* p = (float4*)f.a;
       p[i] = __builtin_elementwise_sin(p[i]) + __builtin_elementwise_pow(p[i], p[1]))
KERNEL(native_functions, float x = f.a[i];
       f.a[i] = __falx_native_sin_f32(x) + __falx_native_cos_f32(x) + __falx_native_tan_f32(x) +
                __falx_native_exp_f32(x) + __falx_native_exp2_f32(x) + __falx_native_exp10_f32(x) +
                __falx_native_log_f32(x) + __falx_native_log2_f32(x) + __falx_native_log10_f32(x) +
                __falx_native_recip_f32(x) + __falx_native_rsqrt_f32(x) + __falx_native_sqrt_f32(x) +
                __falx_native_divide_f32(x, 3) + __falx_native_powr_f32(x, 5))
KERNEL(reciprocal_roots, f.a[i] = __falx_rsqrt_f32(f.a[i]); f.d[i] = __falx_rsqrt_f64(f.d[i]))
KERNEL(half_fma, if (__falx_has_half_fma()) f.h[i] = __builtin_elementwise_fma(f.h[i], f.h[1], f.h[2]);
       else f.h[i] = 3)
KERNEL(half_powers, f.h[i] = (_Float16)log2f((float)f.h[i]) / (_Float16)expf((float)f.h[1]);
       f.a[i] = log10f((float)f.h[2]))
KERNEL(bfloat16_logarithm, unsigned bits = ((unsigned short*)f.h)[i];
       ((__bf16*)f.h)[i] = (__bf16)log2f(__builtin_bit_cast(float, bits << 16)))
KERNEL(exact_operations, f.a[i] = sqrtf(f.a[i]) / f.a[1]; f.a[i] = f.a[i] * f.a[1] + f.a[2])
KERNEL(sine, f.a[i] = sinf(f.a[i]))
KERNEL(assertion, assert(f.i[i] >= 0))
KERNEL(aborts, if (f.i[i] < 0) __builtin_abort(); f.i[i] = 1)
KERNEL(dynamic_alloca, int* p = (int*)__builtin_alloca(f.i[0]); p[f.i[1]] = 3; p[f.i[2]] = 4; f.i[i] = p[f.i[3]])
KERNEL(integer_128, f.l[i] = (long)(((__int128)f.l[i] * f.l[1]) / f.l[2] % f.l[3]))
KERNEL(memory_functions, __builtin_memcpy(f.a + i * 16, f.d + i * 4, 64);
       __builtin_memcpy(f.a + i * 16, f.d + i * 4, f.i[5]); __builtin_memset(f.d, 3, f.i[6]);
       __builtin_memmove(f.d, f.d + 1, f.i[7]))
KERNEL(x86_assembly, asm volatile("nop"))
KERNEL(long_double, f.d[i] = (double)((long double)f.d[i] * f.d[1] + f.d[2]))
KERNEL(undefined_symbol, elsewhere(f.i))
// clang-format on
