// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "falx/device_builtins.hpp"

struct arguments {
  int* data;
  long count;
};
struct floats {
  float *a, *b, *c;
  float factor;
};
void elsewhere(int*);
inline int depth(int n) {
  return n < 2 ? 1 : depth(n - 1) + depth(n - 2);
}

extern "C" {
void single(const arguments& f) {
  f.data[0] = int(f.count) + 7;
}
void range(const arguments& f) {
  f.data[__falx_global_id_x()] += 100;
}
void plane(const arguments& f) {
  f.data[__falx_global_id_x() + 4 * __falx_global_id_y()] =
      int(__falx_global_id_y() * 10 + __falx_global_id_x());
}
void triad(const floats& f) {
  const auto i = __falx_global_id_x();
  f.a[i] = f.b[i] + f.factor * __builtin_sqrtf(f.c[i]);
}
void sine(const floats& f) {
  f.a[__falx_global_id_x()] = __builtin_sinf(f.b[__falx_global_id_x()]);
}
void cube_root(const floats& f) {
  f.a[__falx_global_id_x()] = __builtin_cbrtf(f.b[__falx_global_id_x()]);
}
void undefined_symbol(const arguments& f) {
  elsewhere(f.data);
}
void recursive_without_builtins(const arguments& f) {
  f.data[__falx_global_id_x()] = depth(int(__falx_global_id_x()));
}
void switched(const arguments& f) {
  static constexpr int table[] = {3, 1, 4, 1, 5, 9, 2, 6};
  f.data[__falx_global_id_x()] = table[f.data[__falx_global_id_x()] & 7];
}
}
