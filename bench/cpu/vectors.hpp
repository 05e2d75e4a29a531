// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstring>
#include <utility>

#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && defined(__AVX512BW__)
#define FALX_BENCH_AVX512 1
#else
#define FALX_BENCH_AVX512 0
#endif
#if FALX_BENCH_AVX512
#include <immintrin.h>
#define FALX_BENCH_VECTOR_BYTES 64
#define FALX_BENCH_SLEEF(function, accuracy) Sleef_##function##16_##accuracy##avx512f
#elif defined(__AVX2__) && defined(__FMA__)
#include <immintrin.h>
#define FALX_BENCH_VECTOR_BYTES 32
#define FALX_BENCH_SLEEF(function, accuracy) Sleef_##function##8_##accuracy##avx2
#elif defined(__SSE4_1__)
#include <immintrin.h>
#define FALX_BENCH_VECTOR_BYTES 16
#define FALX_BENCH_SLEEF(function, accuracy) Sleef_##function##4_##accuracy##sse4
#elif defined(__aarch64__)
#include <arm_neon.h>
#define FALX_BENCH_VECTOR_BYTES 16
#define FALX_BENCH_SLEEF(function, accuracy) Sleef_##function##4_##accuracy##advsimd
#else
#define FALX_BENCH_VECTOR_BYTES 0
#endif

/// \file
/// Vectors of the processor that the program is compiled for, so that a row written by hand serves AVX-512,
/// AVX2, SSE 4 and NEON. Arithmetic is the compiler's, with its operators on vectors; here is what those do
/// not say. FALX_BENCH_VECTOR_BYTES is 0 where there are none of them; FALX_BENCH_SLEEF(expf, u10) names
/// SLEEF's function for a vector of floats.

#if FALX_BENCH_VECTOR_BYTES
namespace bench {

using floats = float __attribute__((vector_size(FALX_BENCH_VECTOR_BYTES)));
using doubles = double __attribute__((vector_size(FALX_BENCH_VECTOR_BYTES)));
using ints = int __attribute__((vector_size(FALX_BENCH_VECTOR_BYTES)));

/// How many elements a vector has.
template <class Vector>
constexpr std::size_t lanes_of = sizeof(Vector) / sizeof(std::declval<Vector>()[0]);

template <class T>
struct vector_of;
template <>
struct vector_of<float> {
  using type = floats;
};
template <>
struct vector_of<double> {
  using type = doubles;
};

template <class Vector, class T>
inline Vector load(const T* from) {
  Vector vector;
  std::memcpy(&vector, from, sizeof(vector));
  return vector;
}
template <class Vector, class T>
inline void store(T* to, Vector vector) {
  std::memcpy(to, &vector, sizeof(vector));
}
/// 0, 1, 2 and so on.
inline floats ramp() {
  floats numbers;
  for (std::size_t i = 0; i < lanes_of<floats>; ++i)
    numbers[i] = static_cast<float>(i);
  return numbers;
}
template <class Vector>
inline auto sum_of(Vector vector) {
  constexpr std::size_t LANES = lanes_of<Vector>;
  for (std::size_t half = LANES / 2; half > 0; half /= 2) {
    Vector other;
    for (std::size_t i = 0; i < LANES; ++i)
      other[i] = vector[(i + half) % LANES];
    vector += other;
  }
  return vector[0];
}

/// a b + c, fused where the processor can.
template <class Vector>
inline Vector multiply_add(Vector a, Vector b, Vector c) {
#if defined(__FMA__) || defined(__aarch64__)
  return __builtin_elementwise_fma(a, b, c);
#else
  return a * b + c;
#endif
}
template <class Vector>
inline Vector square_root(Vector x) {
  return __builtin_elementwise_sqrt(x);
}

/// Within 2 units in the last place.
inline floats inverse_root(floats x) {
#if FALX_BENCH_AVX512
  floats guess = _mm512_rsqrt14_ps(x);
#elif FALX_BENCH_VECTOR_BYTES == 32
  floats guess = _mm256_rsqrt_ps(x);
#elif defined(__aarch64__)
  floats guess = vrsqrteq_f32(x);
  guess *= vrsqrtsq_f32(x * guess, guess);
#else
  floats guess = _mm_rsqrt_ps(x);
#endif
  const floats half = x * 0.5f * guess;
  return guess * multiply_add(-half, guess, floats{} + 1.5f);
}

/// Which lanes: a mask register, or a vector of 0 and -1.
#if FALX_BENCH_AVX512
using lanes = __mmask16;
inline lanes all_lanes() {
  return 0xFFFF;
}
inline lanes less_equal(floats a, floats b) {
  return _mm512_cmp_ps_mask(a, b, _CMP_LE_OQ);
}
inline lanes less(floats a, floats b) {
  return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ);
}
inline lanes less(ints a, ints b) {
  return _mm512_cmplt_epi32_mask(reinterpret_cast<__m512i>(a), reinterpret_cast<__m512i>(b));
}
inline lanes without(lanes all, lanes some) {
  return static_cast<lanes>(all & ~some);
}
inline bool any(lanes which) {
  return which != 0;
}
inline floats select(lanes which, floats a, floats b) {
  return _mm512_mask_mov_ps(b, which, a);
}
inline ints select(lanes which, ints a, ints b) {
  return reinterpret_cast<ints>(
      _mm512_mask_mov_epi32(reinterpret_cast<__m512i>(b), which, reinterpret_cast<__m512i>(a)));
}
inline ints increment(lanes which, ints x) {
  return reinterpret_cast<ints>(_mm512_mask_add_epi32(reinterpret_cast<__m512i>(x), which,
                                                      reinterpret_cast<__m512i>(x), _mm512_set1_epi32(1)));
}
inline floats gather(const float* base, ints index) {
  return _mm512_i32gather_ps(reinterpret_cast<__m512i>(index), base, 4);
}
#else
using lanes = ints;
inline lanes all_lanes() {
  return ints{} - 1;
}
inline lanes less_equal(floats a, floats b) {
  return a <= b;
}
inline lanes less(floats a, floats b) {
  return a < b;
}
inline lanes less(ints a, ints b) {
  return a < b;
}
inline lanes without(lanes all, lanes some) {
  return all & ~some;
}
inline bool any(lanes which) {
#if FALX_BENCH_VECTOR_BYTES == 32
  return _mm256_movemask_ps(reinterpret_cast<__m256>(which)) != 0;
#elif defined(__aarch64__)
  return vmaxvq_u32(reinterpret_cast<uint32x4_t>(which)) != 0;
#else
  return _mm_movemask_ps(reinterpret_cast<__m128>(which)) != 0;
#endif
}
template <class Vector>
inline Vector select(lanes which, Vector a, Vector b) {
  return which ? a : b;
}
inline ints increment(lanes which, ints x) {
  return x - which;
}
inline floats gather(const float* base, ints index) {
#if FALX_BENCH_VECTOR_BYTES == 32
  return _mm256_i32gather_ps(base, reinterpret_cast<__m256i>(index), 4);
#else
  floats values;
  for (std::size_t i = 0; i < lanes_of<floats>; ++i)
    values[i] = base[index[i]];
  return values;
#endif
}
#endif

} // namespace bench
#endif
