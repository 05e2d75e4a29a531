// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Mathematical functions without control flow. Limit: what log, exp and two erfc take for a vector.
#include "row.hpp"

#include <cmath>
#if FALX_BENCH_AVX512
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

#if FALX_BENCH_AVX512
inline __m512 normal_cdf(__m512 x) {
  return _mm512_mul_ps(_mm512_set1_ps(0.5f),
                       Sleef_erfcf16_u15avx512f(_mm512_mul_ps(x, _mm512_set1_ps(-ROOT_HALF))));
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
#if FALX_BENCH_AVX512
    const __m512 one = _mm512_set1_ps(1.0f);
#pragma omp parallel for
    for (std::size_t i = 0; i < OPTIONS; i += 16) {
      const __m512 spot = _mm512_load_ps(spot_.data() + i), strike = _mm512_load_ps(strike_.data() + i);
      const __m512 years = _mm512_load_ps(years_.data() + i);
      const __m512 root = _mm512_mul_ps(_mm512_set1_ps(VOLATILITY), _mm512_sqrt_ps(years));
      const __m512 growth = _mm512_set1_ps(RATE + 0.5f * VOLATILITY * VOLATILITY);
      const __m512 ratio = Sleef_logf16_u10avx512f(_mm512_div_ps(spot, strike));
      const __m512 d1 = _mm512_div_ps(_mm512_fmadd_ps(growth, years, ratio), root);
      const __m512 d2 = _mm512_sub_ps(d1, root);
      const __m512 discount = Sleef_expf16_u10avx512f(_mm512_mul_ps(_mm512_set1_ps(-RATE), years));
      const __m512 discounted = _mm512_mul_ps(strike, discount);
      const __m512 n1 = normal_cdf(d1), n2 = normal_cdf(d2);
      _mm512_store_ps(call_.data() + i, _mm512_fmsub_ps(spot, n1, _mm512_mul_ps(discounted, n2)));
      _mm512_store_ps(put_.data() + i, _mm512_fmsub_ps(discounted, _mm512_sub_ps(one, n2),
                                                       _mm512_mul_ps(spot, _mm512_sub_ps(one, n1))));
    }
#endif
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
