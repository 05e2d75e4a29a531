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

/// The same as those write it whom nobody told: sums are where the result will be.
template <class T>
struct matrix_product_in_memory {
  static constexpr const char* NAME = "matmul, in memory";
  static constexpr std::size_t WIDTH = 256, HEIGHT = 256, BOUND = 256;
  template <class Index, class Bound, class Width, class In, class Out>
  static void item(Index i, Index x, Index y, Bound inner, Width width, In left, In right, Out out) {
    out[i] = 0;
    for (Index k = 0; k < inner; ++k)
      out[i] += left[y * inner + k] * right[k * width + x];
  }
};

/// The row of a matrix for each work-item, as in SpMV: lanes go through memory apart from each other.
template <class T>
struct matrix_rows {
  static constexpr const char* NAME = "matrix rows";
  static constexpr std::size_t WIDTH = 256, HEIGHT = 64, BOUND = 32;
  template <class Index, class Bound, class Width, class In, class Out>
  static void item(Index i, Index, Index, Bound terms, Width, In matrix, In vector, Out out) {
    constexpr Index ROWS = 512;
    const Index row = i % ROWS;
    T sum = 0;
    for (Index k = 0; k < terms; ++k)
      sum += matrix[row * terms + k] * vector[k];
    out[i] = sum;
  }
};

/// The nearest of some spheres that a parallel ray hits.
template <class T>
struct ray_tracing {
  static constexpr const char* NAME = "ray tracing";
  static constexpr std::size_t WIDTH = 256, HEIGHT = 64, BOUND = 64;
  template <class Index, class Bound, class Width, class In, class Out>
  static void item(Index i, Index x, Index y, Bound spheres, Width, In place, In depth, Out out) {
    const T from_x = T(1.0 / WIDTH) * static_cast<T>(x), from_y = T(1.0 / HEIGHT) * static_cast<T>(y);
    T nearest = T(1e6);
    for (Index sphere = 0; sphere < spheres; ++sphere) {
      const T dx = place[2 * sphere] - from_x, dy = place[2 * sphere + 1] - from_y;
      const T inside = T(0.01) - dx * dx - dy * dy;
      if (inside > T(0)) {
        const T hit = depth[sphere] - sycl::sqrt(inside);
        nearest = hit < nearest ? hit : nearest;
      }
    }
    out[i] = nearest;
  }
};

} // namespace

void bench::variants::run_loops(const std::regex& wanted) {
  print_tables<polynomial>(wanted);
  print_tables<mandelbrot>(wanted);
  print_tables<nbody>(wanted);
  print_tables<matrix_product>(wanted);
  print_tables<matrix_product_in_memory>(wanted);
  print_tables<matrix_rows>(wanted);
  print_tables<ray_tracing>(wanted);
}
