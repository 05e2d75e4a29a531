// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "falx/device_builtins.hpp"

struct arguments {
  int* data;
  long count;
};

int digits_of(int number) {
  int sum = 0;
  for (int i = 0; i < 10; ++i)
    sum += number / (i + 1) - number / (i + 2) + i % 3;
  if (sum < 0)
    sum = -sum;
  return sum;
}

extern "C" {
void sums(const arguments& f) {
  const auto i = __falx_global_id_x();
  int sum = 0;
  for (int round = 0; round < 10; ++round)
    sum += int(i);
  f.data[i] = sum;
}
void counted(const arguments& f) {
  int sum = 0;
  for (long i = 0; i < f.count; ++i)
    sum += f.data[i];
  f.data[0] = sum;
}
void called(const arguments& f) {
  f.data[0] = digits_of(f.data[1]) - digits_of(f.data[1]) + 42;
}
void rounded(const arguments& f) {
  f.data[0] = int(float(f.data[1]) * float(f.data[2]) + float(f.data[1]));
}
}
