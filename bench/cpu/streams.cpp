// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Kernels that stream through memory once. Limit: bytes moved over the bandwidth of memory.
#include "row.hpp"

#include <algorithm>

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
#if FALX_BENCH_VECTOR_BYTES
    using bench::floats;
    constexpr std::size_t WIDTH = bench::lanes_of<floats>, VECTORS = 8;
    const float* in = values_.data();
    float total = 0;
#pragma omp parallel reduction(+ : total)
    {
      floats sums[VECTORS] = {};
#pragma omp for
      for (std::size_t i = 0; i < SIZE; i += WIDTH * VECTORS)
        for (std::size_t v = 0; v < VECTORS; ++v)
          sums[v] += bench::load<floats>(in + i + WIDTH * v);
      for (std::size_t v = 1; v < VECTORS; ++v)
        sums[0] += sums[v];
      total += bench::sum_of(sums[0]);
    }
    *result_.data() = total;
#endif
  }

  void clear() override { result_.fill(-1.0f); }
  std::vector<double> results() const override { return {static_cast<double>(*result_.data())}; }
  /// OpenMP's compiler adds up few long chains of floats, with vectors of four the sums of 2^21 and more of
  /// them.
  double tolerance() const override { return 1e-2; }

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
#if FALX_BENCH_VECTOR_BYTES
    using bench::doubles;
    double *a = a_.data(), *b = b_.data(), *c = c_.data();
#pragma omp parallel for
    for (std::size_t i = 0; i < SIZE; i += bench::lanes_of<doubles>)
      bench::store(a + i, bench::multiply_add(doubles{} + 0.4, bench::load<doubles>(c + i),
                                              bench::load<doubles>(b + i)));
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
#if FALX_BENCH_VECTOR_BYTES
    using bench::floats, bench::load;
    constexpr std::size_t WIDTH = bench::lanes_of<floats>;
#pragma omp parallel for
    for (std::size_t row = 1; row < EDGE - 1; ++row)
      for (std::size_t column = 1; column < EDGE - 1; column += WIDTH) {
        // The last vector of a row overlaps the one before it.
        const std::size_t first = at(row, std::min(column, EDGE - 1 - WIDTH));
        const float* p = in_.data() + first;
        const floats sides = load<floats>(p - 1) + load<floats>(p + 1);
        const floats around = sides + load<floats>(p - EDGE) + load<floats>(p + EDGE);
        bench::store(out_.data() + first,
                     bench::multiply_add(floats{} + 0.5f, load<floats>(p), 0.125f * around));
      }
#endif
  }

  std::optional<bench::opencl::kernel> in_opencl() const override {
    static const char* const SOURCE = R"(
      kernel void row(global const float* in, global float* out) {
        const size_t edge = 4096, at = (get_global_id(1) + 1) * edge + get_global_id(0) + 1;
        out[at] = 0.5f * in[at] + 0.125f * (in[at - 1] + in[at + 1] + in[at - edge] + in[at + edge]);
      })";
    static_assert(EDGE == 4096);
    return bench::opencl::kernel{
        SOURCE, {bench::opencl::memory(in_), bench::opencl::memory(out_)}, EDGE - 2, EDGE - 2};
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
