// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Rows that take each element once.
#include "variant.hpp"

namespace {

template <class T>
struct triad {
  static constexpr const char* NAME = "triad";
  static constexpr std::size_t WIDTH = 1024, HEIGHT = 128, BOUND = 3;
  template <class Index, class Bound, class Width, class In, class Out>
  static void item(Index i, Index, Index, Bound factor, Width, In a, In b, Out c) {
    c[i] = a[i] + static_cast<T>(static_cast<Index>(factor)) * b[i];
  }
};

template <class T>
struct dot {
  static constexpr const char* NAME = "dot";
  static constexpr std::size_t WIDTH = 256, HEIGHT = 16, BOUND = 64;
  template <class Index, class Bound, class Width, class In, class Out>
  static void item(Index i, Index, Index, Bound terms, Width, In a, In b, Out out) {
    T sum = 0;
    for (Index k = 0; k < terms; ++k)
      sum += a[i + k] * b[i + k];
    out[i] = sum;
  }
};

template <class T>
struct black_scholes {
  static constexpr const char* NAME = "Black-Scholes";
  static constexpr std::size_t WIDTH = 256, HEIGHT = 128, BOUND = 1;
  template <class Index, class Bound, class Width, class In, class Out>
  static void item(Index i, Index, Index, Bound years, Width, In spot, In strike, Out out) {
    const T time = static_cast<T>(static_cast<Index>(years));
    const T root = T(0.3) * sycl::sqrt(time);
    const T d1 = (sycl::log(spot[i] / strike[i]) + T(0.065) * time) / root;
    const auto cdf = [](T x) { return T(0.5) * sycl::erfc(-x * T(0.70710678)); };
    out[i] = spot[i] * cdf(d1) - strike[i] * sycl::exp(T(-0.02) * time) * cdf(d1 - root);
  }
};

template <class T>
struct stencil {
  static constexpr const char* NAME = "stencil";
  static constexpr std::size_t WIDTH = 512, HEIGHT = 256, BOUND = 1;
  /// The arrays have a border of two rows.
  template <class Index, class Bound, class Width, class In, class Out>
  static void item(Index i, Index x, Index y, Bound far, Width width, In in, In, Out out) {
    const Index at = (y + 1) * width + x;
    out[i] = T(0.2) * (in[at] + in[at - far] + in[at + far] + in[at - far * width] + in[at + far * width]);
  }
};

} // namespace

void bench::variants::run_streams(const std::regex& wanted) {
  print_tables<triad>(wanted);
  print_tables<dot>(wanted);
  print_tables<black_scholes>(wanted);
  print_tables<stencil>(wanted);
}
