// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Arithmetic by element: option prices, polynomials in double and half precision, a * x + y in half
// precision.
#include "../problems.hpp"
#include "cuda_side.cuh"

#include <cuda_fp16.h>

namespace {

using problems::DEGREE, problems::RATE, problems::VOLATILITY;
constexpr unsigned BLOCK = 256;

#define FOR_MY_INDEX(i, size)                                                                                \
  if (const std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < size)

__global__ void initialize_options(float* spot, float* strike, float* years, std::size_t size) {
  FOR_MY_INDEX(i, size) {
    spot[i] = problems::option_spot(i);
    strike[i] = problems::option_strike(i);
    years[i] = problems::option_years(i);
  }
}

struct exact_functions {
  static constexpr double TOLERANCE = 1e-5;
  __device__ static float root(float x) { return sqrtf(x); }
  __device__ static float quotient(float x, float y) { return x / y; }
  __device__ static float log(float x) { return logf(x); }
  __device__ static float exp(float x) { return expf(x); }
  __device__ static float normal_cdf(float x) { return 0.5f * erfcf(-x * 0.70710678f); }
};

// What the hardware has, and a polynomial for the normal distribution.
struct native_functions {
  static constexpr double TOLERANCE = 1e-3;
  __device__ static float root(float x) { return x * rsqrtf(x); }
  __device__ static float quotient(float x, float y) { return __fdividef(x, y); }
  __device__ static float log(float x) { return __logf(x); }
  __device__ static float exp(float x) { return __expf(x); }
  __device__ static float normal_cdf(float x) {
    return problems::normal_cdf_by_polynomial<native_functions>(x, fabsf(x));
  }
};

template <class Functions>
__global__ void price(const float* __restrict__ spot, const float* __restrict__ strike,
                      const float* __restrict__ years, float* __restrict__ call, float* __restrict__ put,
                      std::size_t size) {
  using f = Functions;
  FOR_MY_INDEX(i, size) {
    const float s = spot[i], k = strike[i], t = years[i];
    const float root = VOLATILITY * f::root(t);
    const float d1 =
        f::quotient(f::log(f::quotient(s, k)) + (RATE + 0.5f * VOLATILITY * VOLATILITY) * t, root);
    const float discounted = k * f::exp(-RATE * t);
    const float n1 = f::normal_cdf(d1), n2 = f::normal_cdf(d1 - root);
    call[i] = s * n1 - discounted * n2;
    put[i] = discounted * (1.0f - n2) - s * (1.0f - n1);
  }
}

template <class Functions>
rows::result price_options() {
  const std::size_t size = problems::options();
  const unsigned blocks = bench::blocks_for(size, BLOCK);
  const bench::array<float> spots(size), strikes(size), terms(size), calls(size), puts(size);
  initialize_options<<<blocks, BLOCK, 0, bench::stream()>>>(spots.data(), strikes.data(), terms.data(), size);
  const double time = bench::time_of([&] {
    price<Functions><<<blocks, BLOCK, 0, bench::stream()>>>(spots.data(), strikes.data(), terms.data(),
                                                            calls.data(), puts.data(), size);
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

__global__ void initialize_points(double* x, double* c, std::size_t size) {
  FOR_MY_INDEX(i, size) {
    x[i] = problems::polynomial_x(i);
    if (i < DEGREE)
      c[i] = problems::coefficient(static_cast<int>(i));
  }
}

__global__ void evaluate(const double* __restrict__ x, const double* __restrict__ c, double* __restrict__ y,
                         std::size_t size) {
  FOR_MY_INDEX(i, size) {
    const double at = x[i];
    double value = c[0];
    for (int k = 1; k < DEGREE; ++k)
      value = value * at + c[k];
    y[i] = value;
  }
}

const rows::add polynomial("polynomial f64 512, 2^24", [] {
  const std::size_t size = problems::polynomial_points();
  const unsigned blocks = bench::blocks_for(size, BLOCK);
  const bench::array<double> x(size), y(size), c(DEGREE);
  initialize_points<<<blocks, BLOCK, 0, bench::stream()>>>(x.data(), c.data(), size);
  const double time = bench::time_of(
      [&] { evaluate<<<blocks, BLOCK, 0, bench::stream()>>>(x.data(), c.data(), y.data(), size); });
  std::string check = "ok";
  for (int which = 0; which < problems::PROBES && check == "ok"; ++which) {
    const std::size_t i = problems::probe(which, size);
    check = rows::compare("a value", y.at(i), problems::polynomial_expected(i), 1e-12);
  }
  return rows::rate(2.0 * (DEGREE - 1) * static_cast<double>(size), time, "TFLOP/s", 1e12, check);
});

__global__ void initialize_halves(__half2* x, std::size_t pairs) {
  FOR_MY_INDEX(i, pairs)
  x[i] = __floats2half2_rn(problems::half_x(2 * i), problems::half_x(2 * i + 1));
}

__global__ void add_scaled(__half2 a, const __half2* __restrict__ x, __half2* __restrict__ y,
                           std::size_t pairs) {
  FOR_MY_INDEX(i, pairs)
  y[i] = a * x[i] + y[i];
}

const rows::add axpy("axpy f16 2^29", [] {
  const std::size_t pairs = problems::half_size() / 2;
  const unsigned blocks = bench::blocks_for(pairs, BLOCK);
  const bench::array<__half2> x(pairs), y(pairs);
  initialize_halves<<<blocks, BLOCK, 0, bench::stream()>>>(x.data(), pairs);
  const __half2 a = __float2half2_rn(problems::HALF_SCALAR);
  const auto launch = [&] {
    add_scaled<<<blocks, BLOCK, 0, bench::stream()>>>(a, x.data(), y.data(), pairs);
  };
  BENCH_CHECK(cudaMemsetAsync(y.data(), 0, pairs * sizeof(__half2), bench::stream()));
  const double time = bench::time_of(launch);
  BENCH_CHECK(cudaMemsetAsync(y.data(), 0, pairs * sizeof(__half2), bench::stream()));
  launch();
  const std::size_t i = problems::probe(3, pairs);
  return rows::rate(6.0 * 2 * static_cast<double>(pairs), time, "GB/s", 1e9,
                    rows::compare("a sum", static_cast<double>(__high2float(y.at(i))),
                                  problems::HALF_SCALAR * problems::half_x(2 * i + 1), 0));
});

__global__ void initialize_half_points(__half2* x, std::size_t size) {
  FOR_MY_INDEX(i, size)
  x[i] = __float2half2_rn(static_cast<float>(i % 2) * 0.5f);
}

__global__ void evaluate_halves(const __half2* __restrict__ x, __half2* __restrict__ y, std::size_t size) {
  FOR_MY_INDEX(i, size) {
    const __half2 at = x[i], one = __float2half2_rn(1.0f);
    __half2 value = one;
    for (int k = 1; k < DEGREE; ++k)
      value = __hfma2(value, at, one);
    y[i] = value;
  }
}

const rows::add half_polynomial("polynomial f16x2 512, 2^24", [] {
  const std::size_t size = problems::polynomial_points();
  const unsigned blocks = bench::blocks_for(size, BLOCK);
  const bench::array<__half2> x(size), y(size);
  initialize_half_points<<<blocks, BLOCK, 0, bench::stream()>>>(x.data(), size);
  const double time = bench::time_of(
      [&] { evaluate_halves<<<blocks, BLOCK, 0, bench::stream()>>>(x.data(), y.data(), size); });
  const std::string check =
      rows::first_wrong({rows::compare("sum of 0.5^k", static_cast<double>(__low2float(y.at(1))), 2, 2e-3),
                         rows::compare("sum of 0^k", static_cast<double>(__high2float(y.at(0))), 1, 0)});
  return rows::rate(4.0 * (DEGREE - 1) * static_cast<double>(size), time, "TFLOP/s", 1e12, check);
});

} // namespace
