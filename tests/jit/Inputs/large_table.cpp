// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "falx/device_builtins.hpp"

/// \file
/// A kernel whose code takes 8 MiB: purity.test.

struct arguments {
  int* data;
  long count;
};

static const int TABLE[1 << 21] = {10, 11, 12, 13};

extern "C" void look_up(const arguments& f) {
  const std::size_t i = __falx_global_id_x();
  f.data[i] = TABLE[f.data[i]];
}
