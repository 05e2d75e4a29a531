// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// BabelStream's five kernels on arrays of doubles, limited by memory.
#include "../problems.hpp"
#include "cuda_side.cuh"

#include <cub/device/device_reduce.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

namespace {

using problems::STREAM_SCALAR;
constexpr unsigned BLOCK = 256;

__global__ void initialize(double* a, double* b, double* c, std::size_t size) {
  const std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < size) {
    a[i] = problems::stream_a(i);
    b[i] = problems::stream_b(i);
    c[i] = problems::stream_c(i);
  }
}
__global__ void copy_kernel(const double* __restrict__ a, double* __restrict__ c, std::size_t size) {
  const std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < size)
    c[i] = a[i];
}
__global__ void mul_kernel(double* __restrict__ b, const double* __restrict__ c, std::size_t size) {
  const std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < size)
    b[i] = STREAM_SCALAR * c[i];
}
__global__ void add_kernel(const double* __restrict__ a, const double* __restrict__ b, double* __restrict__ c,
                           std::size_t size) {
  const std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < size)
    c[i] = a[i] + b[i];
}
__global__ void triad_kernel(double* __restrict__ a, const double* __restrict__ b,
                             const double* __restrict__ c, std::size_t size) {
  const std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < size)
    a[i] = b[i] + STREAM_SCALAR * c[i];
}
struct product {
  const double *a, *b;
  __host__ __device__ double operator()(std::size_t i) const { return a[i] * b[i]; }
};

struct arrays {
  std::size_t size = problems::stream_size();
  unsigned blocks = bench::blocks_for(size, BLOCK);
  bench::array<double> a{size}, b{size}, c{size};
  arrays() {
    initialize<<<blocks, BLOCK, 0, bench::stream()>>>(a.data(), b.data(), c.data(), size);
    bench::launched();
  }
};

/// \p launch writes \p output; \p expected gives its elements.
template <class Launch, class Expected>
rows::result measure(int arrays_moved, const arrays& all, const bench::array<double>& output, Launch launch,
                     Expected expected) {
  const double time = bench::time_of(launch);
  std::string check = "ok";
  for (int which = 0; which < problems::PROBES && check == "ok"; ++which) {
    const std::size_t i = problems::probe(which, all.size);
    check = rows::compare("an element", output.at(i), expected(i), 1e-15);
  }
  return rows::rate(static_cast<double>(all.size) * 8 * arrays_moved, time, "GB/s", 1e9, check);
}

const rows::add copy("copy f64 2^27", [] {
  const arrays all;
  return measure(
      2, all, all.c,
      [&] { copy_kernel<<<all.blocks, BLOCK, 0, bench::stream()>>>(all.a.data(), all.c.data(), all.size); },
      problems::stream_a);
});

const rows::add mul("mul f64 2^27", [] {
  const arrays all;
  return measure(
      2, all, all.b,
      [&] { mul_kernel<<<all.blocks, BLOCK, 0, bench::stream()>>>(all.b.data(), all.c.data(), all.size); },
      [](std::size_t i) { return STREAM_SCALAR * problems::stream_c(i); });
});

const rows::add sum("add f64 2^27", [] {
  const arrays all;
  return measure(
      3, all, all.c,
      [&] {
        add_kernel<<<all.blocks, BLOCK, 0, bench::stream()>>>(all.a.data(), all.b.data(), all.c.data(),
                                                              all.size);
      },
      [](std::size_t i) { return problems::stream_a(i) + problems::stream_b(i); });
});

const rows::add triad("triad f64 2^27", [] {
  const arrays all;
  return measure(
      3, all, all.a,
      [&] {
        triad_kernel<<<all.blocks, BLOCK, 0, bench::stream()>>>(all.a.data(), all.b.data(), all.c.data(),
                                                                all.size);
      },
      [](std::size_t i) { return problems::stream_b(i) + STREAM_SCALAR * problems::stream_c(i); });
});

const rows::add dot("dot f64 2^27", [] {
  const arrays all;
  bench::array<double> sum(1);
  const auto products = thrust::make_transform_iterator(thrust::make_counting_iterator(std::size_t(0)),
                                                        product{all.a.data(), all.b.data()});
  std::size_t bytes = 0;
  BENCH_CHECK(cub::DeviceReduce::Sum(nullptr, bytes, products, sum.data(), all.size, bench::stream()));
  bench::array<char> scratch(bytes);
  const double time = bench::time_of([&] {
    BENCH_CHECK(
        cub::DeviceReduce::Sum(scratch.data(), bytes, products, sum.data(), all.size, bench::stream()));
  });
  double expected = 0;
  for (std::size_t i = 0; i < all.size; ++i)
    expected += problems::stream_a(i) * problems::stream_b(i);
  return rows::rate(static_cast<double>(all.size) * 16, time, "GB/s", 1e9,
                    rows::compare("the sum", sum.at(0), expected, 1e-9));
});

} // namespace
