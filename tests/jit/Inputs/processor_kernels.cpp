// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "falx/device_builtins.hpp"

/// \file
/// Kernels whose instructions tell for which processor they are: processors.test, aarch64.test.

struct floats {
  const float* x;
  float* y;
  float factor;
};
struct halves {
  const _Float16* x;
  _Float16* y;
};

extern "C" {
void multiply_add(const floats& a) {
  const std::size_t i = __falx_global_id_x();
  a.y[i] = a.factor * a.x[i] + a.y[i];
}

void add_halves(const halves& a) {
  const std::size_t i = __falx_global_id_x();
  a.y[i] = a.x[i] + a.y[i];
}

/// A loop that work-items leave one by one.
void count_squarings(const floats& a) {
  const std::size_t i = __falx_global_id_x();
  float x = a.x[i], count = 0;
  while (x < 100.0f && count < 30.0f) {
    x = x * x + a.factor;
    count += 1.0f;
  }
  a.y[i] = count;
}

void exponential(const floats& a) {
  const std::size_t i = __falx_global_id_x();
  a.y[i] = __builtin_expf(a.x[i]);
}

void error_function(const floats& a) {
  const std::size_t i = __falx_global_id_x();
  a.y[i] = static_cast<float>(__builtin_erf(a.x[i] * 0.1));
}
}
