// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "falx/device_builtins.hpp"

/// Kernels whose PTX should look as NVCC's does for CUDA.

typedef float float4 __attribute__((ext_vector_type(4)));
typedef _Float16 half2 __attribute__((ext_vector_type(2)));
struct alignas(16) body {
  float x, y, z, w;
};
struct nested {
  struct {
    float* in[2];
    int table[8];
  } inner;
  float* out;
};
struct arguments {
  float *a, *b, *c;
  _Float16 *h, *i;
  __bf16* j;
  float4* v;
  body* bodies;
  half2* pairs;
  float factor;
};

extern "C" {
void triad(const arguments& f) {
  const auto i = __falx_global_id_x();
  f.a[i] = f.b[i] + f.factor * f.c[i];
}
void vectors(const arguments& f) {
  const auto i = __falx_global_id_x();
  f.v[i] = f.v[i + 100] * f.factor;
}
void copies(const arguments& f) {
  auto* tile = static_cast<body*>(__falx_local_memory());
  tile[__falx_local_id_x()] = f.bodies[__falx_global_id_x()];
}
void nested_captures(const nested& f) {
  const auto i = __falx_global_id_x();
  f.out[i] = f.inner.in[0][i] + f.inner.in[1][f.inner.table[i & 7]];
}
void copied_captures(const nested& g) {
  nested f = g;
  const auto i = __falx_global_id_x();
  f.out[i] = f.inner.in[0][i] + f.inner.in[1][f.inner.table[i & 7]];
}
void forces(const arguments& f) {
  const auto* tile = static_cast<const body*>(__falx_local_memory());
  float x = 0;
  for (int i = 0; i < 256; ++i) {
    const float d = tile[i].x - f.factor;
    x += d / __builtin_sqrtf(d * d + tile[i].y);
  }
  f.a[__falx_local_id_x()] = x;
}
void row_sums(const arguments& f) {
  float sum = 0;
  for (auto i = __falx_local_id_x(); i < __falx_global_range_x(); i += 32)
    sum += f.a[i];
  f.b[__falx_local_id_x()] = sum;
}
void prefetches(const arguments& f) {
  __builtin_prefetch(f.a + __falx_global_id_x());
  __builtin_prefetch(f.b + __falx_global_id_x(), 0, 1);
  __builtin_prefetch(__falx_local_memory());
}
void halves(const arguments& f) {
  const auto i = __falx_global_id_x();
  f.h[i] = f.h[i] * f.i[i];
  f.h[i + 1] = f.h[i] + f.i[i + 1];
  f.h[i + 2] = __builtin_elementwise_fma(f.h[i], f.i[i], f.i[i + 1]);
}
void half_pairs(const arguments& f) {
  const auto i = __falx_global_id_x();
  f.pairs[i] = f.pairs[i] * f.pairs[i + 1];
}
void brain_halves(const arguments& f) {
  const auto i = __falx_global_id_x();
  f.j[i] = f.j[i] * f.j[i + 1];
  f.j[i + 1] = f.j[i] + f.j[i + 2];
}
void conversions(const arguments& f) {
  const auto i = __falx_global_id_x();
  f.a[i] = float(f.h[i]) + float(f.j[i]);
  f.i[i] = _Float16(f.b[i]);
  f.j[i + 1] = __bf16(f.c[i]);
}
void reductions(const arguments& f) {
  const auto i = __falx_global_id_x();
  int* ints = reinterpret_cast<int*>(f.b);
  f.a[i] = __falx_sub_group_reduce_add_f32(f.a[i]);
  ints[i] = int(__falx_sub_group_reduce_add_u32(unsigned(ints[i])));
}
}
