// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Arithmetic by element: option prices, polynomials in double and half precision, a * x + y in half
// precision.
#include "../problems.hpp"
#include "falx_side.hpp"

namespace {

using problems::DEGREE, problems::RATE, problems::VOLATILITY;

struct exact_functions {
  static constexpr double TOLERANCE = 1e-5;
  static float root(float x) { return sycl::sqrt(x); }
  static float quotient(float x, float y) { return x / y; }
  static float log(float x) { return sycl::log(x); }
  static float exp(float x) { return sycl::exp(x); }
  static float normal_cdf(float x) { return 0.5f * sycl::erfc(-x * 0.70710678f); }
};

/// What the hardware has, and a polynomial for the normal distribution.
struct native_functions {
  static constexpr double TOLERANCE = 1e-3;
  static float root(float x) { return sycl::native::sqrt(x); }
  static float quotient(float x, float y) { return sycl::native::divide(x, y); }
  static float log(float x) { return sycl::native::log(x); }
  static float exp(float x) { return sycl::native::exp(x); }
  static float normal_cdf(float x) {
    return problems::normal_cdf_by_polynomial<native_functions>(x, sycl::fabs(x));
  }
};

template <class Functions>
rows::result price_options() {
  const std::size_t size = problems::options();
  const bench::array<float> spots(size), strikes(size), terms(size), calls(size), puts(size);
  float *spot = spots.data(), *strike = strikes.data(), *years = terms.data();
  float *call = calls.data(), *put = puts.data();
  bench::queue().parallel_for(sycl::range<1>(size), [=](sycl::id<1> i) {
    spot[i] = problems::option_spot(i);
    strike[i] = problems::option_strike(i);
    years[i] = problems::option_years(i);
  });
  const double time = bench::time_of([&] {
    bench::queue().parallel_for(sycl::range<1>(size), [=](sycl::id<1> i) [[intel::kernel_args_restrict]] {
      using f = Functions;
      const float s = spot[i], k = strike[i], t = years[i];
      const float root = VOLATILITY * f::root(t);
      const float d1 =
          f::quotient(f::log(f::quotient(s, k)) + (RATE + 0.5f * VOLATILITY * VOLATILITY) * t, root);
      const float discounted = k * f::exp(-RATE * t);
      const float n1 = f::normal_cdf(d1), n2 = f::normal_cdf(d1 - root);
      call[i] = s * n1 - discounted * n2;
      put[i] = discounted * (1.0f - n2) - s * (1.0f - n1);
    });
  });
  std::string check = "ok";
  for (int which = 0; which < problems::PROBES && check == "ok"; ++which) {
    const std::size_t i = problems::probe(which, size);
    check = rows::compare("a price", static_cast<double>(calls.at(i)), problems::option_expected_call(i),
                          Functions::TOLERANCE);
  }
  return rows::rate(static_cast<double>(size), time, "Goption/s", 1e9, check);
}

const rows::add black_scholes("Black-Scholes f32 2^26", price_options<exact_functions>);
const rows::add black_scholes_native("Black-Scholes f32 2^26, native functions",
                                     price_options<native_functions>);

const rows::add polynomial("polynomial f64 512, 2^24", [] {
  const std::size_t size = problems::polynomial_points();
  const bench::array<double> in(size), out(size), factors(DEGREE);
  double *x = in.data(), *y = out.data(), *c = factors.data();
  bench::queue().parallel_for(sycl::range<1>(size), [=](sycl::id<1> i) {
    x[i] = problems::polynomial_x(i);
    if (i < DEGREE)
      c[i] = problems::coefficient(static_cast<int>(i[0]));
  });
  const double time = bench::time_of([&] {
    bench::queue().parallel_for(sycl::range<1>(size), [=](sycl::id<1> i) [[intel::kernel_args_restrict]] {
      const double at = x[i];
      double value = c[0];
      for (int k = 1; k < DEGREE; ++k)
        value = value * at + c[k];
      y[i] = value;
    });
  });
  std::string check = "ok";
  for (int which = 0; which < problems::PROBES && check == "ok"; ++which) {
    const std::size_t i = problems::probe(which, size);
    check = rows::compare("a value", out.at(i), problems::polynomial_expected(i), 1e-12);
  }
  return rows::rate(2.0 * (DEGREE - 1) * static_cast<double>(size), time, "TFLOP/s", 1e12, check);
});

using half2 = sycl::vec<sycl::half, 2>;

const rows::add axpy("axpy f16 2^29", [] {
  const std::size_t pairs = problems::half_size() / 2;
  const bench::array<half2> in(pairs), sums(pairs);
  half2 *x = in.data(), *y = sums.data();
  bench::queue().parallel_for(sycl::range<1>(pairs), [=](sycl::id<1> i) {
    x[i] = half2(problems::half_x(2 * i), problems::half_x(2 * i + 1));
  });
  const sycl::half a = problems::HALF_SCALAR;
  bench::queue().memset(y, 0, pairs * sizeof(half2));
  const double time = bench::time_of([&] {
    bench::queue().parallel_for(sycl::range<1>(pairs), [=](sycl::id<1> i) [[intel::kernel_args_restrict]] {
      y[i] = a * x[i] + y[i];
    });
  });
  bench::queue().memset(y, 0, pairs * sizeof(half2));
  bench::queue().parallel_for(sycl::range<1>(pairs), [=](sycl::id<1> i) { y[i] = a * x[i] + y[i]; });
  const std::size_t i = problems::probe(3, pairs);
  return rows::rate(6.0 * 2 * static_cast<double>(pairs), time, "GB/s", 1e9,
                    rows::compare("a sum", static_cast<float>(sums.at(i)[1]),
                                  problems::HALF_SCALAR * problems::half_x(2 * i + 1), 0));
});

const rows::add half_polynomial("polynomial f16x2 512, 2^24", [] {
  const std::size_t size = problems::polynomial_points();
  const bench::array<half2> in(size), out(size);
  half2 *x = in.data(), *y = out.data();
  bench::queue().parallel_for(sycl::range<1>(size), [=](sycl::id<1> i) {
    const sycl::half at = static_cast<float>(i % 2) * 0.5f;
    x[i] = half2(at, at);
  });
  const double time = bench::time_of([&] {
    bench::queue().parallel_for(sycl::range<1>(size), [=](sycl::id<1> i) [[intel::kernel_args_restrict]] {
      const half2 at = x[i];
      half2 value(sycl::half(1.0f));
      for (int k = 1; k < DEGREE; ++k)
        value = sycl::fma(value, at, half2(sycl::half(1.0f)));
      y[i] = value;
    });
  });
  const std::string check =
      rows::first_wrong({rows::compare("sum of 0.5^k", static_cast<float>(out.at(1)[0]), 2, 2e-3),
                         rows::compare("sum of 0^k", static_cast<float>(out.at(0)[1]), 1, 0)});
  return rows::rate(4.0 * (DEGREE - 1) * static_cast<double>(size), time, "TFLOP/s", 1e12, check);
});

} // namespace
