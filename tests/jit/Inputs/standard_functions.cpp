// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "standard_functions.hpp"
#include "falx/device_builtins.hpp"

#include <cmath>
#include <complex>

template <class T>
static double folded(const std::complex<T>& z) {
  return double(z.real() + z.imag() / 2);
}

#define FUNCTION(name, expression)                                                                           \
  template <class T>                                                                                         \
  static double name##_of([[maybe_unused]] T x) {                                                            \
    [[maybe_unused]] int number = 0;                                                                         \
    [[maybe_unused]] T part = 0;                                                                             \
    [[maybe_unused]] const std::complex<T> z(x - 3, 2 - x / 2), w(T(0.7), x / 8);                            \
    return double(expression);                                                                               \
  }
STANDARD_FUNCTIONS(FUNCTION)

extern "C" {
#define CALL(name, tolerance, expression)                                                                    \
  void name##_kernel(const library_call_arguments& f) {                                                      \
    const auto index = __falx_global_id_x();                                                                 \
    const double x = f.in[index];                                                                            \
    f.out[index] = expression;                                                                               \
  }
LIBRARY_CALLS(CALL)
}

// Complex numbers of long double are for the host.
extern "C" void complex_of_long_double_kernel(const library_call_arguments& f) {
  const auto index = __falx_global_id_x();
  const std::complex<long double> z(f.in[index], 1);
  f.out[index] = double(std::abs(std::sqrt(z)));
}
