// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A binomial tree per option in private memory. Limit: two operations on vectors and one load and store for
// each node, one of the loads and stores a clock.
#include "row.hpp"

#include <cmath>
#if FALX_BENCH_VECTOR_BYTES
#include <sleef.h>
#endif

namespace {

constexpr std::size_t OPTIONS = std::size_t(1) << 16;
constexpr int STEPS = 64;
constexpr float RATE = 0.02f, VOLATILITY = 0.3f;

/// An American-style put of no early exercise, as a tree of prices.
inline float price(float spot, float strike, float years) {
  const float step = years / STEPS;
  const float up = std::exp(VOLATILITY * std::sqrt(step)), down = 1.0f / up;
  const float growth = std::exp(RATE * step);
  const float rise = (growth - down) / (up - down) / growth, fall = 1.0f / growth - rise;
  float values[STEPS];
  float end = spot * std::exp(-VOLATILITY * std::sqrt(step) * STEPS);
  const float twice = up * up;
  for (int i = 0; i < STEPS; ++i) {
    values[i] = strike > end ? strike - end : 0.0f;
    end *= twice;
  }
  for (int left = STEPS - 1; left > 0; --left)
    for (int i = 0; i < left; ++i)
      values[i] = rise * values[i + 1] + fall * values[i];
  return values[0];
}

#if FALX_BENCH_VECTOR_BYTES
using bench::floats;
inline floats price_by_hand(floats spot, floats strike, floats years) {
  const floats step = years * (1.0f / STEPS), spread = VOLATILITY * bench::square_root(step);
  const floats up = FALX_BENCH_SLEEF(expf, u10)(spread), down = 1.0f / up;
  const floats growth = FALX_BENCH_SLEEF(expf, u10)(RATE * step);
  const floats rise = (growth - down) / (up - down) / growth, fall = 1.0f / growth - rise;
  floats values[STEPS];
  floats end = spot * FALX_BENCH_SLEEF(expf, u10)(-float(STEPS) * spread);
  const floats twice = up * up;
  for (floats& value : values) {
    value = __builtin_elementwise_max(strike - end, floats{});
    end *= twice;
  }
  for (int left = STEPS - 1; left > 0; --left)
    for (int i = 0; i < left; ++i)
      values[i] = bench::multiply_add(rise, values[i + 1], fall * values[i]);
  return values[0];
}
#endif

class binomial_options final : public bench::row {
public:
  void falx() override {
    const float *spot = spot_.data(), *strike = strike_.data(), *years = years_.data();
    float* out = out_.data();
    bench::queue()
        .parallel_for(sycl::range<1>(OPTIONS),
                      [=](sycl::id<1> i) { out[i] = price(spot[i], strike[i], years[i]); })
        .wait();
  }

  void openmp() override {
    const float *spot = spot_.data(), *strike = strike_.data(), *years = years_.data();
    float* out = out_.data();
#pragma omp parallel for
    for (std::size_t i = 0; i < OPTIONS; ++i)
      out[i] = price(spot[i], strike[i], years[i]);
  }

  void by_hand() override {
#if FALX_BENCH_VECTOR_BYTES
#pragma omp parallel for
    for (std::size_t i = 0; i < OPTIONS; i += bench::lanes_of<floats>)
      bench::store(out_.data() + i, price_by_hand(bench::load<floats>(spot_.data() + i),
                                                  bench::load<floats>(strike_.data() + i),
                                                  bench::load<floats>(years_.data() + i)));
#endif
  }

  void clear() override { out_.fill(-1.0f); }
  std::vector<double> results() const override {
    std::vector<double> all;
    out_.append_to(all);
    return all;
  }
  double tolerance() const override { return 1e-4; }

private:
  bench::array<float> spot_{OPTIONS, [](std::size_t i) { return 5.0f + static_cast<float>(i % 25); }};
  bench::array<float> strike_{OPTIONS, [](std::size_t i) { return 1.0f + static_cast<float>(i % 99); }};
  bench::array<float> years_{OPTIONS,
                             [](std::size_t i) { return 0.25f + static_cast<float>(i % 39) * 0.25f; }};
  bench::array<float> out_{OPTIONS};
};

} // namespace

std::unique_ptr<bench::row> bench::make_binomial_options() {
  return std::make_unique<binomial_options>();
}
