// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Rows whose work-items wait for their own last results.
#include "variant.hpp"

namespace {

template <class T>
struct polynomial {
  static constexpr const char* NAME = "polynomial";
  static constexpr std::size_t WIDTH = 256, HEIGHT = 256, BOUND = 256;
  template <class Index, class Bound, class Width, class In, class Out>
  static void item(Index i, Index, Index, Bound degree, Width, In x, In coefficients, Out y) {
    T value = coefficients[0];
    for (Index k = 1; k < degree; ++k)
      value = value * x[i] + coefficients[k];
    y[i] = value;
  }
};

template <class T>
struct mandelbrot {
  static constexpr const char* NAME = "Mandelbrot";
  static constexpr std::size_t WIDTH = 256, HEIGHT = 256, BOUND = 200;
  template <class Index, class Bound, class Width, class In, class Out>
  static void item(Index i, Index column, Index row, Bound iterations, Width, In, In, Out out) {
    const T cx = T(-2.2) + T(3.0 / WIDTH) * static_cast<T>(column);
    const T cy = T(-1.5) + T(3.0 / HEIGHT) * static_cast<T>(row);
    T x = 0, y = 0;
    Index iteration = 0;
    while (iteration < iterations && x * x + y * y <= T(4)) {
      const T next = x * x - y * y + cx;
      y = T(2) * x * y + cy;
      x = next;
      ++iteration;
    }
    out[i] = static_cast<T>(iteration);
  }
};

template <class T>
struct nbody {
  static constexpr const char* NAME = "n-body";
  static constexpr std::size_t WIDTH = 1024, HEIGHT = 2, BOUND = 512;
  template <class Index, class Bound, class Width, class In, class Out>
  static void item(Index i, Index, Index, Bound bodies, Width, In place, In mass, Out out) {
    T sum = 0;
    for (Index other = 0; other < bodies; ++other) {
      const T distance = place[other] - place[i];
      const T inverse = T(1) / sycl::sqrt(distance * distance + T(1e-3));
      sum += distance * mass[other] * inverse * inverse * inverse;
    }
    out[i] = sum;
  }
};

template <class T>
struct matrix_product {
  static constexpr const char* NAME = "matmul";
  static constexpr std::size_t WIDTH = 256, HEIGHT = 256, BOUND = 256;
  template <class Index, class Bound, class Width, class In, class Out>
  static void item(Index i, Index x, Index y, Bound inner, Width width, In left, In right, Out out) {
    T sum = 0;
    for (Index k = 0; k < inner; ++k)
      sum += left[y * inner + k] * right[k * width + x];
    out[i] = sum;
  }
};

} // namespace

void bench::variants::run_loops(const std::regex& wanted) {
  print_tables<polynomial>(wanted);
  print_tables<mandelbrot>(wanted);
  print_tables<nbody>(wanted);
  print_tables<matrix_product>(wanted);
}
