// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "falx/device_builtins.hpp"

struct arguments {
  int* data;
  long count;
};

/// Sums elements of an array, so that it stays in memory.
template <long Size>
inline void sum_up(const arguments& f) {
  int array[Size];
  int& mine = f.data[__falx_global_id_x()];
  for (long i = 0; i < f.count; ++i)
    array[(i * mine) % Size] = int(i);
  mine = 0;
  for (long i = 0; i < f.count; ++i)
    mine += array[i];
}
inline int depth(int n) {
  return n < 2 ? 1 : depth(n - 1) + depth(n - 2);
}

/// Stays a function of its own.
[[gnu::cold]] inline int look_up(int n) {
  volatile int table[50000];
  table[n % 50000] = n;
  return table[n * 7 % 50000];
}

extern "C" {
void calls_cold(const arguments& f) {
  int& mine = f.data[__falx_global_id_x()];
  if (mine > 1000000)
    mine = look_up(mine);
}
void without(const arguments& f) {
  f.data[__falx_global_id_x()] += 1;
}
void small(const arguments& f) {
  sum_up<50>(f);
}
void large(const arguments& f) {
  sum_up<100000>(f);
}
void larger(const arguments& f) {
  sum_up<20000000>(f);
}
void too_large(const arguments& f) {
  sum_up<1000000000>(f);
}
void recursive(const arguments& f) {
  f.data[__falx_global_id_x()] = depth(int(__falx_global_id_x()));
}
}
