// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "rows.hpp"

#include <cmath>
#include <cstddef>
#include <vector>

/// \file
/// What both sides compute: sizes, inputs, and results as the host computes them in double precision for a
/// few elements.

#ifdef __CUDACC__
#define BENCH_BOTH __host__ __device__
#define BENCH_DEVICE __device__
#else
#define BENCH_BOTH
#define BENCH_DEVICE
#endif

namespace problems {

// Arrays of doubles as in BabelStream.
inline std::size_t stream_size() {
  return rows::size(std::size_t(1) << 27, std::size_t(1) << 16);
}
constexpr double STREAM_SCALAR = 0.4;
BENCH_BOTH constexpr double stream_a(std::size_t i) {
  return 0.1 * static_cast<double>(i % 7);
}
BENCH_BOTH constexpr double stream_b(std::size_t i) {
  return 0.2 + static_cast<double>(i % 3);
}
BENCH_BOTH constexpr double stream_c(std::size_t i) {
  return 0.3 * static_cast<double>(i % 5);
}
/// Elements that are looked at.
inline std::size_t probe(int which, std::size_t size) {
  return which == 0 ? 0 : which == 1 ? size - 1 : rows::hash(static_cast<unsigned>(which)) % size;
}
constexpr int PROBES = 16;

// Five-point stencil on a square of floats.
inline std::size_t stencil_edge() {
  return rows::size(8192, 256);
}
BENCH_BOTH constexpr float stencil_input(std::size_t i) {
  return static_cast<float>(i % 31);
}
inline double stencil_expected(std::size_t at, std::size_t edge) {
  return 0.5 * stencil_input(at) + 0.125 * (stencil_input(at - 1) + stencil_input(at + 1) +
                                            stencil_input(at - edge) + stencil_input(at + edge));
}

// Product of square matrices of floats.
inline std::size_t matrix_edge() {
  return rows::size(4096, 128);
}
constexpr int MATRIX_TILE = 32;
BENCH_BOTH constexpr float matrix_a(std::size_t i) {
  return static_cast<float>(i % 13) * 0.125f;
}
BENCH_BOTH constexpr float matrix_b(std::size_t i) {
  return static_cast<float>(i % 17) * 0.0625f - 0.5f;
}
inline double matrix_expected(std::size_t row, std::size_t column, std::size_t edge) {
  double sum = 0;
  for (std::size_t k = 0; k < edge; ++k)
    sum += static_cast<double>(matrix_a(row * edge + k)) * static_cast<double>(matrix_b(k * edge + column));
  return sum;
}

// All pairs of bodies.
inline std::size_t bodies() {
  return rows::size(65536, 1024);
}
inline std::size_t bodies_f64() {
  return rows::size(32768, 1024);
}
constexpr int BODY_TILE = 256;
constexpr float SOFTENING = 1e-3f;
BENCH_BOTH constexpr float body_coordinate(std::size_t body, unsigned axis) {
  return static_cast<float>(rows::hash(static_cast<unsigned>(body) * 3 + axis) >> 8) * (1.0f / (1 << 24));
}
inline double body_expected_x(std::size_t body, std::size_t count) {
  double sum = 0;
  for (std::size_t other = 0; other < count; ++other) {
    double square = static_cast<double>(SOFTENING), dx = 0;
    for (unsigned axis = 0; axis < 3; ++axis) {
      const double d = static_cast<double>(body_coordinate(other, axis)) -
                       static_cast<double>(body_coordinate(body, axis));
      square += d * d;
      dx = axis == 0 ? d : dx;
    }
    sum += dx / (square * std::sqrt(square));
  }
  return sum;
}

// European options.
inline std::size_t options() {
  return rows::size(std::size_t(1) << 26, std::size_t(1) << 14);
}
constexpr float RATE = 0.02f, VOLATILITY = 0.3f;
BENCH_BOTH constexpr float option_spot(std::size_t i) {
  return 5.0f + static_cast<float>(i % 25);
}
BENCH_BOTH constexpr float option_strike(std::size_t i) {
  return 1.0f + static_cast<float>(i % 99);
}
BENCH_BOTH constexpr float option_years(std::size_t i) {
  return 0.25f + static_cast<float>(i % 39) * 0.25f;
}
/// Abramowitz and Stegun, 26.2.17: the absolute error is below 7.5e-8 with exact functions.
template <class Functions>
BENCH_DEVICE float normal_cdf_by_polynomial(float x, float size_of_x) {
  const float k = Functions::quotient(1.0f, 1.0f + 0.2316419f * size_of_x);
  const float tail =
      0.39894228f * Functions::exp(-0.5f * x * x) * k *
      (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  return x > 0 ? 1.0f - tail : tail;
}
inline double option_expected_call(std::size_t i) {
  const double spot = option_spot(i), strike = option_strike(i), years = option_years(i), rate = RATE;
  const double volatility = VOLATILITY, root = volatility * std::sqrt(years);
  const double d1 = (std::log(spot / strike) + (rate + 0.5 * volatility * volatility) * years) / root;
  const auto cdf = [](double x) { return 0.5 * std::erfc(-x * std::sqrt(0.5)); };
  return spot * cdf(d1) - strike * std::exp(-rate * years) * cdf(d1 - root);
}

// Mandelbrot set.
inline int image_edge() {
  return static_cast<int>(rows::size(8192, 128));
}
constexpr int ITERATIONS = 400;
BENCH_BOTH inline int mandelbrot_at(int column, int row, float step) {
  const float cx = -2.2f + step * static_cast<float>(column);
  const float cy = -1.5f + step * static_cast<float>(row);
  float x = 0, y = 0;
  int iteration = 0;
  while (iteration < ITERATIONS && x * x + y * y <= 4.0f) {
    const float next = x * x - y * y + cx;
    y = 2.0f * x * y + cy;
    x = next;
    ++iteration;
  }
  return iteration;
}

// Inclusive prefix sum of integers; sums wrap around.
inline std::size_t scan_size() {
  return rows::size(std::size_t(1) << 28, std::size_t(1) << 18);
}
BENCH_BOTH constexpr unsigned scan_input(std::size_t i) {
  return static_cast<unsigned>(i % 11);
}
inline unsigned scan_expected(std::size_t i) {
  const std::size_t whole = (i + 1) / 11, rest = (i + 1) % 11;
  return static_cast<unsigned>(whole * 55 + rest * (rest - 1) / 2);
}

// Histogram of bytes.
inline std::size_t histogram_size() {
  return rows::size(std::size_t(1) << 28, std::size_t(1) << 18);
}
constexpr int BINS = 256;
BENCH_BOTH constexpr unsigned char histogram_input(std::size_t i) {
  return static_cast<unsigned char>(rows::hash(static_cast<unsigned>(i)));
}

/// How often each value occurs.
inline std::vector<unsigned> histogram_expected() {
  std::vector<unsigned> bins(BINS);
  for (std::size_t i = 0; i < histogram_size(); ++i)
    ++bins[histogram_input(i)];
  return bins;
}

// Sums of rows, one sub-group each.
inline std::size_t row_count() {
  return rows::size(std::size_t(1) << 19, 256);
}
constexpr std::size_t ROW_LENGTH = 512;
BENCH_BOTH constexpr float row_input(std::size_t i) {
  return static_cast<float>(i % 19) * 0.25f;
}
inline double row_expected(std::size_t row) {
  double sum = 0;
  for (std::size_t i = 0; i < ROW_LENGTH; ++i)
    sum += static_cast<double>(row_input(row * ROW_LENGTH + i));
  return sum;
}

// Polynomials, evaluated by Horner's rule.
constexpr int DEGREE = 512;
inline std::size_t polynomial_points() {
  return rows::size(std::size_t(1) << 24, std::size_t(1) << 12);
}
BENCH_BOTH constexpr double polynomial_x(std::size_t i) {
  return static_cast<double>(i % 1024) / 1024;
}
BENCH_BOTH constexpr double coefficient(int i) {
  return 1.0 / (i + 1);
}
inline double polynomial_expected(std::size_t i) {
  double value = coefficient(0);
  for (int k = 1; k < DEGREE; ++k)
    value = value * polynomial_x(i) + coefficient(k);
  return value;
}

// y = a * x + y in half precision.
inline std::size_t half_size() {
  return rows::size(std::size_t(1) << 29, std::size_t(1) << 16);
}
constexpr float HALF_SCALAR = 0.5f;
/// Of the elements, which are small integers, and of the sums.
BENCH_BOTH constexpr float half_x(std::size_t i) {
  return static_cast<float>(i % 8);
}

} // namespace problems
