// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Mathematical functions without control flow. Limit: what log, exp and two erfc take for a vector.
#include "row.hpp"

#include <cmath>
#if FALX_BENCH_VECTOR_BYTES
#include <sleef.h>
#endif

namespace {

constexpr std::size_t OPTIONS = std::size_t(1) << 22;
constexpr float RATE = 0.02f, VOLATILITY = 0.3f, ROOT_HALF = 0.70710678f;

inline float normal_cdf(float x) {
  return 0.5f * std::erfc(-x * ROOT_HALF);
}

inline void price_option(float spot, float strike, float years, float& call, float& put) {
  const float root = VOLATILITY * std::sqrt(years);
  const float d1 = (std::log(spot / strike) + (RATE + 0.5f * VOLATILITY * VOLATILITY) * years) / root;
  const float d2 = d1 - root;
  const float discounted = strike * std::exp(-RATE * years);
  const float n1 = normal_cdf(d1), n2 = normal_cdf(d2);
  call = spot * n1 - discounted * n2;
  put = discounted * (1.0f - n2) - spot * (1.0f - n1);
}

#if FALX_BENCH_VECTOR_BYTES
using bench::floats;
inline floats normal_cdf(floats x) {
  return 0.5f * FALX_BENCH_SLEEF(erfcf, u15)(x * -ROOT_HALF);
}
#endif

class black_scholes final : public bench::row {
public:
  void falx() override {
    const float *spot = spot_.data(), *strike = strike_.data(), *years = years_.data();
    float *call = call_.data(), *put = put_.data();
    bench::queue()
        .parallel_for(sycl::range<1>(OPTIONS),
                      [=](sycl::id<1> i) { price_option(spot[i], strike[i], years[i], call[i], put[i]); })
        .wait();
  }

  void openmp() override {
    const float *spot = spot_.data(), *strike = strike_.data(), *years = years_.data();
    float *call = call_.data(), *put = put_.data();
#pragma omp parallel for
    for (std::size_t i = 0; i < OPTIONS; ++i)
      price_option(spot[i], strike[i], years[i], call[i], put[i]);
  }

  void by_hand() override {
#if FALX_BENCH_VECTOR_BYTES
#pragma omp parallel for
    for (std::size_t i = 0; i < OPTIONS; i += bench::lanes_of<floats>) {
      const auto spot = bench::load<floats>(spot_.data() + i),
                 strike = bench::load<floats>(strike_.data() + i);
      const auto years = bench::load<floats>(years_.data() + i);
      const floats root = VOLATILITY * bench::square_root(years);
      const floats growth = floats{} + (RATE + 0.5f * VOLATILITY * VOLATILITY);
      const floats d1 = bench::multiply_add(growth, years, FALX_BENCH_SLEEF(logf, u10)(spot / strike)) / root;
      const floats d2 = d1 - root;
      const floats discounted = strike * FALX_BENCH_SLEEF(expf, u10)(-RATE * years);
      const floats n1 = normal_cdf(d1), n2 = normal_cdf(d2);
      bench::store(call_.data() + i, bench::multiply_add(spot, n1, -(discounted * n2)));
      bench::store(put_.data() + i, bench::multiply_add(discounted, 1.0f - n2, -(spot * (1.0f - n1))));
    }
#endif
  }

  /// Functions and quotients are as exact as OpenCL C demands, not rounded correctly.
  std::optional<bench::opencl::kernel> in_opencl() const override {
    static const char* const SOURCE = R"(
      float normal_cdf(float x) { return 0.5f * erfc(-x * 0.70710678f); }
      kernel void row(global const float* spots, global const float* strikes, global const float* all_years,
                      global float* calls, global float* puts) {
        const float rate = 0.02f, volatility = 0.3f;
        const size_t i = get_global_id(0);
        const float spot = spots[i], strike = strikes[i], years = all_years[i];
        const float root = volatility * sqrt(years);
        const float d1 = (log(spot / strike) + (rate + 0.5f * volatility * volatility) * years) / root;
        const float d2 = d1 - root;
        const float discounted = strike * exp(-rate * years);
        const float n1 = normal_cdf(d1), n2 = normal_cdf(d2);
        calls[i] = spot * n1 - discounted * n2;
        puts[i] = discounted * (1.0f - n2) - spot * (1.0f - n1);
      })";
    using bench::opencl::memory;
    return bench::opencl::kernel{
        SOURCE, {memory(spot_), memory(strike_), memory(years_), memory(call_), memory(put_)}, OPTIONS};
  }

  void clear() override {
    call_.fill(-1.0f);
    put_.fill(-1.0f);
  }
  std::vector<double> results() const override {
    std::vector<double> all;
    call_.append_to(all);
    put_.append_to(all);
    return all;
  }

private:
  bench::array<float> spot_{OPTIONS, [](std::size_t i) { return 5.0f + static_cast<float>(i % 25); }};
  bench::array<float> strike_{OPTIONS, [](std::size_t i) { return 1.0f + static_cast<float>(i % 99); }};
  bench::array<float> years_{OPTIONS,
                             [](std::size_t i) { return 0.25f + static_cast<float>(i % 39) * 0.25f; }};
  bench::array<float> call_{OPTIONS}, put_{OPTIONS};
};

} // namespace

std::unique_ptr<bench::row> bench::make_black_scholes() {
  return std::make_unique<black_scholes>();
}
