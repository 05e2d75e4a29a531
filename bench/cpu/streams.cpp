// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Kernels that stream through memory once. Limit: bytes moved over the bandwidth of memory.
#include "row.hpp"

namespace {

/// Sum of 2^25 floats.
class sum final : public bench::row {
  static constexpr std::size_t SIZE = std::size_t(1) << 25;

public:
  void falx() override {
    const float* in = values_.data();
    bench::queue()
        .parallel_for(sycl::range<1>(SIZE),
                      sycl::reduction(result_.data(), sycl::plus<float>(),
                                      sycl::property::reduction::initialize_to_identity()),
                      [=](sycl::id<1> i, auto& partial) { partial += in[i]; })
        .wait();
  }

  void openmp() override {
    const float* in = values_.data();
    float total = 0;
#pragma omp parallel for simd reduction(+ : total)
    for (std::size_t i = 0; i < SIZE; ++i)
      total += in[i];
    *result_.data() = total;
  }

  void by_hand() override {
#if FALX_BENCH_AVX512
    constexpr std::size_t VECTORS = 8;
    const float* in = values_.data();
    float total = 0;
#pragma omp parallel reduction(+ : total)
    {
      __m512 sums[VECTORS];
      for (__m512& each : sums)
        each = _mm512_setzero_ps();
#pragma omp for
      for (std::size_t i = 0; i < SIZE; i += 16 * VECTORS)
        for (std::size_t v = 0; v < VECTORS; ++v)
          sums[v] = _mm512_add_ps(sums[v], _mm512_load_ps(in + i + 16 * v));
      for (std::size_t v = 1; v < VECTORS; ++v)
        sums[0] = _mm512_add_ps(sums[0], sums[v]);
      total += _mm512_reduce_add_ps(sums[0]);
    }
    *result_.data() = total;
#endif
  }

  void clear() override { result_.fill(-1.0f); }
  std::vector<double> results() const override { return {static_cast<double>(*result_.data())}; }

private:
  bench::array<float> values_{SIZE, [](std::size_t i) { return static_cast<float>(i % 16) * 0.125f; }};
  bench::array<float> result_{1};
};

class triad final : public bench::row {
  static constexpr std::size_t SIZE = std::size_t(1) << 24;

public:
  void falx() override {
    double *a = a_.data(), *b = b_.data(), *c = c_.data();
    bench::queue()
        .parallel_for(sycl::range<1>(SIZE), [=](sycl::id<1> i) { a[i] = b[i] + 0.4 * c[i]; })
        .wait();
  }

  void openmp() override {
    double *a = a_.data(), *b = b_.data(), *c = c_.data();
#pragma omp parallel for simd
    for (std::size_t i = 0; i < SIZE; ++i)
      a[i] = b[i] + 0.4 * c[i];
  }

  void by_hand() override {
#if FALX_BENCH_AVX512
    double *a = a_.data(), *b = b_.data(), *c = c_.data();
    const __m512d factor = _mm512_set1_pd(0.4);
#pragma omp parallel for
    for (std::size_t i = 0; i < SIZE; i += 8)
      _mm512_store_pd(a + i, _mm512_fmadd_pd(factor, _mm512_load_pd(c + i), _mm512_load_pd(b + i)));
#endif
  }

  void clear() override { a_.fill(-1.0); }
  std::vector<double> results() const override {
    std::vector<double> all;
    a_.append_to(all);
    return all;
  }

private:
  bench::array<double> a_{SIZE};
  bench::array<double> b_{SIZE, [](std::size_t i) { return double(i % 100); }};
  bench::array<double> c_{SIZE, [](std::size_t i) { return double(i % 77); }};
};

/// Five points: one read and one write of every point reach memory if rows stay in a cache.
class stencil final : public bench::row {
  static constexpr std::size_t EDGE = 4096;

public:
  void falx() override {
    const float* in = in_.data();
    float* out = out_.data();
    bench::queue()
        .parallel_for(sycl::range<2>(EDGE - 2, EDGE - 2),
                      [=](sycl::item<2> item) {
                        out[at(item[0] + 1, item[1] + 1)] = point(in + at(item[0] + 1, item[1] + 1));
                      })
        .wait();
  }

  void openmp() override {
    const float* in = in_.data();
    float* out = out_.data();
#pragma omp parallel for
    for (std::size_t row = 1; row < EDGE - 1; ++row)
#pragma omp simd
      for (std::size_t column = 1; column < EDGE - 1; ++column)
        out[at(row, column)] = point(in + at(row, column));
  }

  void by_hand() override {
#if FALX_BENCH_AVX512
    const __m512 half = _mm512_set1_ps(0.5f), eighth = _mm512_set1_ps(0.125f);
#pragma omp parallel for
    for (std::size_t row = 1; row < EDGE - 1; ++row)
      for (std::size_t column = 1; column < EDGE - 1; column += 16) {
        const std::size_t left = EDGE - 1 - column;
        const auto mask = static_cast<__mmask16>(left >= 16 ? 0xFFFF : (1u << left) - 1);
        const float* p = in_.data() + at(row, column);
        const __m512 sides =
            _mm512_add_ps(_mm512_maskz_loadu_ps(mask, p - 1), _mm512_maskz_loadu_ps(mask, p + 1));
        const __m512 around = _mm512_add_ps(_mm512_add_ps(sides, _mm512_maskz_loadu_ps(mask, p - EDGE)),
                                            _mm512_maskz_loadu_ps(mask, p + EDGE));
        const __m512 middle = _mm512_mul_ps(eighth, around);
        _mm512_mask_storeu_ps(out_.data() + at(row, column), mask,
                              _mm512_fmadd_ps(half, _mm512_maskz_loadu_ps(mask, p), middle));
      }
#endif
  }

  void clear() override { out_.fill(-1.0f); }
  std::vector<double> results() const override {
    std::vector<double> all;
    out_.append_to(all);
    return all;
  }

private:
  static std::size_t at(std::size_t row, std::size_t column) { return row * EDGE + column; }
  static float point(const float* p) { return 0.5f * p[0] + 0.125f * (p[-1] + p[1] + *(p - EDGE) + p[EDGE]); }
  bench::array<float> in_{EDGE * EDGE, [](std::size_t i) { return static_cast<float>(i % 31); }};
  bench::array<float> out_{EDGE * EDGE};
};

} // namespace

std::unique_ptr<bench::row> bench::make_sum() {
  return std::make_unique<sum>();
}
std::unique_ptr<bench::row> bench::make_triad() {
  return std::make_unique<triad>();
}
std::unique_ptr<bench::row> bench::make_stencil() {
  return std::make_unique<stencil>();
}
