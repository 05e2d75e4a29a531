// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "falx/device_builtins.hpp"

struct arguments {
  int* data;
  long count;
};
struct specialization_id {
  int value;
};
extern "C" {
extern constexpr specialization_id trip_count{2};

void repeat(const arguments& f) {
  int value = f.data[0];
  for (int i = 0;
       i < static_cast<const specialization_id*>(__falx_specialization_constant(&trip_count))->value; ++i)
    value = value * 3 + f.data[i];
  f.data[0] = value;
}
}
