// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "falx/device_builtins.hpp"

/// \file
/// Kernels whose lanes access elements at constant distances: shuffled-accesses.test.

namespace {

struct arguments {
  const float* in;
  float* out;
  long width;
};
struct point {
  float x, y, z;
};
struct mixed {
  float weight;
  int number;
  short low, high;
  int rest;
};

long self() {
  return long(__falx_global_id_x());
}
long place(const arguments& a) {
  return long(__falx_global_id_y()) * a.width + self();
}

} // namespace

extern "C" {
void contiguous(const arguments& a) {
  a.out[self()] = a.in[self()] * 2;
}
void reverse(const arguments& a) {
  a.out[4096 - self()] = a.in[4095 - self()] * 2;
}
void load_stride_2(const arguments& a) {
  a.out[self()] = a.in[2 * self()] * 2;
}
void load_stride_3(const arguments& a) {
  const point* p = reinterpret_cast<const point*>(a.in) + self();
  a.out[self()] = p->x * p->y + p->z;
}
void load_stride_4(const arguments& a) {
  a.out[self()] = a.in[4 * self()] * a.in[4 * self() + 2];
}
void load_stride_minus_2(const arguments& a) {
  a.out[self()] = a.in[8192 - 2 * self()] * 2;
}
void store_stride_2(const arguments& a) {
  a.out[2 * self()] = a.in[self()] * 2;
}
void store_stride_3(const arguments& a) {
  const float x = a.in[self()];
  reinterpret_cast<point*>(a.out)[self()] = {x, x * 2, x * 3};
}
void store_stride_4(const arguments& a) {
  const float x = a.in[self()];
  for (int k = 0; k < 4; ++k)
    a.out[4 * self() + k] = x * float(k);
}
void structures(const arguments& a) {
  const mixed* from = reinterpret_cast<const mixed*>(a.in) + self();
  mixed* to = reinterpret_cast<mixed*>(a.out) + self();
  to->number = from->number + 3;
  to->weight = from->weight;
  to->rest = from->rest * 3;
}
/// Blocks of 8 of which a work-item has two elements, 4 from each other.
void permutation(const arguments& a) {
  const unsigned i = unsigned(self()), near = (i & ~3U) * 2 + (i & 3U);
  const float x = a.out[near], y = a.out[near + 4];
  a.out[near] = x < y ? x : y;
  a.out[near + 4] = x < y ? y : x;
}
void broadcast(const arguments& a) {
  a.out[self()] = a.in[self() >> 2] * 2;
}
void rows(const arguments& a) {
  a.out[place(a)] = a.in[place(a)] * 2;
}
void row_broadcast(const arguments& a) {
  a.out[place(a)] = a.in[long(__falx_global_id_y()) * a.width] * 2;
}
void condition(const arguments& a) {
  if (a.in[self()] > 0)
    a.out[self()] = a.in[3 * self()] + a.in[3 * self() + 1];
}
void far(const arguments& a) {
  a.out[self()] = a.in[1000 * self()] * 2;
}
}
