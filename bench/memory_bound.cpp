// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Kernels limited by memory. Limit of the machine: bytes moved over the bandwidth that OpenMP's triad
// reaches.
#include "bench.hpp"

namespace {

constexpr std::size_t TRIAD_SIZE = std::size_t(1) << 25;
constexpr std::size_t SUM_SIZE = std::size_t(1) << 25;
constexpr std::size_t STENCIL_EDGE = 4096;

struct triad_arrays {
  bench::array<double> a{TRIAD_SIZE, [](std::size_t) { return 0.0; }};
  bench::array<double> b{TRIAD_SIZE, [](std::size_t i) { return double(i % 100); }};
  bench::array<double> c{TRIAD_SIZE, [](std::size_t i) { return double(i % 77); }};
};

void triad_falx(benchmark::State& state) {
  triad_arrays arrays;
  double *a = arrays.a.data(), *b = arrays.b.data(), *c = arrays.c.data();
  bench::measure(state, "B", 3.0 * sizeof(double) * TRIAD_SIZE, [&] {
    bench::queue()
        .parallel_for(sycl::range<1>(TRIAD_SIZE), [=](sycl::id<1> i) { a[i] = b[i] + 0.4 * c[i]; })
        .wait();
  });
}

void triad_openmp(benchmark::State& state) {
  triad_arrays arrays;
  double *a = arrays.a.data(), *b = arrays.b.data(), *c = arrays.c.data();
  bench::measure(state, "B", 3.0 * sizeof(double) * TRIAD_SIZE, [&] {
#pragma omp parallel for
    for (std::size_t i = 0; i < TRIAD_SIZE; ++i)
      a[i] = b[i] + 0.4 * c[i];
  });
}

void sum_falx(benchmark::State& state) {
  bench::array<float> values(SUM_SIZE, [](std::size_t i) { return float(i % 16) * 0.125f; });
  bench::array<float> result(1, [](std::size_t) { return 0.0f; });
  const float* in = values.data();
  float* out = result.data();
  bench::measure(state, "B", sizeof(float) * SUM_SIZE, [&] {
    bench::queue()
        .parallel_for(
            sycl::range<1>(SUM_SIZE),
            sycl::reduction(out, sycl::plus<float>(), sycl::property::reduction::initialize_to_identity()),
            [=](sycl::id<1> i, auto& sum) { sum += in[i]; })
        .wait();
  });
}

void sum_openmp(benchmark::State& state) {
  bench::array<float> values(SUM_SIZE, [](std::size_t i) { return float(i % 16) * 0.125f; });
  const float* in = values.data();
  bench::measure(state, "B", sizeof(float) * SUM_SIZE, [&] {
    float sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (std::size_t i = 0; i < SUM_SIZE; ++i)
      sum += in[i];
    benchmark::DoNotOptimize(sum);
  });
}

// Five-point stencil: one read and one write of every point reach memory.
void stencil_falx(benchmark::State& state) {
  constexpr std::size_t points = STENCIL_EDGE * STENCIL_EDGE;
  bench::array<float> from(points, [](std::size_t i) { return float(i % 31); });
  bench::array<float> to(points, [](std::size_t) { return 0.0f; });
  const float* in = from.data();
  float* out = to.data();
  bench::measure(state, "B", 2.0 * sizeof(float) * points, [&] {
    bench::queue()
        .parallel_for(sycl::range<2>(STENCIL_EDGE - 2, STENCIL_EDGE - 2),
                      [=](sycl::item<2> item) {
                        const std::size_t at = (item[0] + 1) * STENCIL_EDGE + item[1] + 1;
                        out[at] = 0.5f * in[at] + 0.125f * (in[at - 1] + in[at + 1] + in[at - STENCIL_EDGE] +
                                                            in[at + STENCIL_EDGE]);
                      })
        .wait();
  });
}

void stencil_openmp(benchmark::State& state) {
  constexpr std::size_t points = STENCIL_EDGE * STENCIL_EDGE;
  bench::array<float> from(points, [](std::size_t i) { return float(i % 31); });
  bench::array<float> to(points, [](std::size_t) { return 0.0f; });
  const float* in = from.data();
  float* out = to.data();
  bench::measure(state, "B", 2.0 * sizeof(float) * points, [&] {
#pragma omp parallel for
    for (std::size_t row = 1; row < STENCIL_EDGE - 1; ++row)
      for (std::size_t column = 1; column < STENCIL_EDGE - 1; ++column) {
        const std::size_t at = row * STENCIL_EDGE + column;
        out[at] = 0.5f * in[at] +
                  0.125f * (in[at - 1] + in[at + 1] + in[at - STENCIL_EDGE] + in[at + STENCIL_EDGE]);
      }
  });
}

} // namespace

BENCHMARK(triad_falx)->Name("triad f64 2^25/falx")->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(triad_openmp)->Name("triad f64 2^25/openmp")->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(sum_falx)->Name("sum f32 2^25/falx")->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(sum_openmp)->Name("sum f32 2^25/openmp")->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(stencil_falx)->Name("2-D stencil f32 4096^2/falx")->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(stencil_openmp)
    ->Name("2-D stencil f32 4096^2/openmp")
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
