// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "falx/device_builtins.hpp"

struct arguments {
  float* a;
  volatile int* i;
};

// The sum is used behind two branches.
extern "C" void sums(const arguments& f) {
  const auto at = __falx_global_id_x();
  const float sum = f.a[at] * 3 + 1;
  if (f.i[at] == 1)
    f.i[at] = 2;
  if (f.i[at] == 3)
    f.i[at] = 4;
  f.a[at] = sum;
  if (f.i[at] == 5)
    f.i[at] = 6;
  f.i[at] = 7;
}
