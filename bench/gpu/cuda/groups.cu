// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Work of whole groups: prefix sum and histogram by CUB, sums of rows by warps.
#include "../problems.hpp"
#include "cuda_side.cuh"

#include <cub/device/device_histogram.cuh>
#include <cub/device/device_scan.cuh>

namespace {

constexpr unsigned BLOCK = 256;

#define FOR_MY_INDEX(i, size)                                                                                \
  if (const std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < size)

__global__ void initialize_scan(unsigned* values, std::size_t size) {
  FOR_MY_INDEX(i, size)
  values[i] = problems::scan_input(i);
}

const rows::add scan("prefix sum u32 2^28", [] {
  const std::size_t size = problems::scan_size();
  const int items = static_cast<int>(size);
  const bench::array<unsigned> in(size), out(size);
  initialize_scan<<<bench::blocks_for(size, BLOCK), BLOCK, 0, bench::stream()>>>(in.data(), size);
  std::size_t bytes = 0;
  BENCH_CHECK(cub::DeviceScan::InclusiveSum(nullptr, bytes, in.data(), out.data(), items, bench::stream()));
  const bench::array<char> scratch(bytes);
  const double time = bench::time_of([&] {
    BENCH_CHECK(
        cub::DeviceScan::InclusiveSum(scratch.data(), bytes, in.data(), out.data(), items, bench::stream()));
  });
  std::string check = "ok";
  for (int which = 0; which < problems::PROBES && check == "ok"; ++which) {
    const std::size_t i = problems::probe(which, size);
    check = rows::compare("a sum", out.at(i), problems::scan_expected(i), 0);
  }
  return rows::rate(8.0 * static_cast<double>(size), time, "GB/s", 1e9, check);
});

__global__ void initialize_bytes(unsigned char* bytes, std::size_t size) {
  FOR_MY_INDEX(i, size)
  bytes[i] = problems::histogram_input(i);
}

const rows::add histogram("histogram of bytes, 256 bins, 2^28", [] {
  const std::size_t size = problems::histogram_size();
  const int items = static_cast<int>(size);
  const bench::array<unsigned char> in(size);
  const bench::array<unsigned> bins(problems::BINS);
  initialize_bytes<<<bench::blocks_for(size, BLOCK), BLOCK, 0, bench::stream()>>>(in.data(), size);
  std::size_t bytes = 0;
  const auto count = [&](void* scratch) {
    BENCH_CHECK(cub::DeviceHistogram::HistogramEven(scratch, bytes, in.data(), bins.data(),
                                                    problems::BINS + 1, 0, problems::BINS, items,
                                                    bench::stream()));
  };
  count(nullptr);
  const bench::array<char> scratch(bytes);
  const double time = bench::time_of([&] { count(scratch.data()); });
  const std::vector<unsigned> expected = problems::histogram_expected();
  std::string check = "ok";
  for (std::size_t bin = 0; bin < expected.size() && check == "ok"; ++bin)
    check = rows::compare("a bin", bins.at(bin), expected[bin], 0);
  return rows::rate(static_cast<double>(size), time, "GB/s", 1e9, check);
});

__global__ void initialize_rows(float* values, std::size_t size) {
  FOR_MY_INDEX(i, size)
  values[i] = problems::row_input(i);
}

__global__ void sum_rows(const float* __restrict__ values, float* __restrict__ sums) {
  const std::size_t row = (std::size_t(blockIdx.x) * BLOCK + threadIdx.x) / 32;
  const unsigned lane = threadIdx.x % 32;
  float sum = 0;
  for (std::size_t i = lane; i < problems::ROW_LENGTH; i += 32)
    sum += values[row * problems::ROW_LENGTH + i];
  for (int distance = 16; distance > 0; distance /= 2)
    sum += __shfl_xor_sync(0xffffffffu, sum, distance);
  if (lane == 0)
    sums[row] = sum;
}

const rows::add row_sums("sub-group sums of rows f32 2^19 x 512", [] {
  const std::size_t count = problems::row_count(), size = count * problems::ROW_LENGTH;
  const bench::array<float> in(size), out(count);
  initialize_rows<<<bench::blocks_for(size, BLOCK), BLOCK, 0, bench::stream()>>>(in.data(), size);
  const double time = bench::time_of([&] {
    sum_rows<<<bench::blocks_for(count * 32, BLOCK), BLOCK, 0, bench::stream()>>>(in.data(), out.data());
  });
  std::string check = "ok";
  for (int which = 0; which < problems::PROBES && check == "ok"; ++which) {
    const std::size_t row = problems::probe(which, count);
    check = rows::compare("a sum", static_cast<double>(out.at(row)), problems::row_expected(row), 1e-6);
  }
  return rows::rate(4.0 * static_cast<double>(size), time, "GB/s", 1e9, check);
});

} // namespace
