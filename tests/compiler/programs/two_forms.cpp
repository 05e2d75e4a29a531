// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel that may be faster as vectors or one work-item after the other is timed in both forms once it has run for some
// time, and what it computes stays the same to the last bit. The next process finds both forms compiled.
//
// RUN: falx++ %s -o %t
// RUN: rm -rf %t.cache
// RUN: env FALX_DEVICE_SELECTOR=cpu FALX_SIMD_REPORT=on FALX_CACHE_DIR=%t.cache %t 2>&1 | FileCheck %s --check-prefixes=TIMED,RIGHT
// RUN: env FALX_DEVICE_SELECTOR=cpu FALX_SIMD_REPORT=on FALX_CACHE_DIR=%t.cache %t 2>&1 | FileCheck %s --check-prefixes=TIMED,FOUND
// RUN: env FALX_DEVICE_SELECTOR=cpu FALX_SIMD_REPORT=on FALX_TIER=best FALX_CACHE_DIR=%t.cache %t short 2>&1 | FileCheck %s --check-prefix=FOUND --implicit-check-not=timed
// RUN: env FALX_DEVICE_SELECTOR=cpu FALX_SIMD_REPORT=on FALX_SIMD=1 FALX_CACHE=off %t short 2>&1 | FileCheck %s --check-prefix=RIGHT --implicit-check-not=timed
//
// TIMED-DAG: falx: kernel 'rows' was timed as {{.*}} ns for each {{.*}}; it {{changes to the other form|stays as it is}}
// TIMED-DAG: falx: kernel 'quads' was timed as {{.*}} ns for each {{.*}}; it {{changes to the other form|stays as it is}}
// RIGHT: right
// FOUND: right, compiled 0
#include "falx/cache.hpp"

#include <sycl/sycl.hpp>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <utility>
#include <vector>

constexpr std::size_t ROWS = 4096;

int main(int argc, char**) {
  sycl::queue queue{sycl::property::queue::in_order()};
  std::vector<std::uint32_t> starts(ROWS + 1);
  for (std::size_t i = 0; i < ROWS; ++i)
    starts[i + 1] = starts[i] + static_cast<std::uint32_t>(i * 37 % 23);
  auto* const starts_there = sycl::malloc_device<std::uint32_t>(starts.size(), queue);
  auto* const values = sycl::malloc_device<float>(starts.back(), queue);
  auto* const sums = sycl::malloc_device<float>(ROWS, queue);
  queue.copy(starts.data(), starts_there, starts.size());
  queue.parallel_for(starts.back(), [=](sycl::id<1> i) { values[i] = 0.1f * static_cast<float>(i[0] % 1001); });
  auto* const quads_there = sycl::malloc_device<sycl::float4>(ROWS, queue);
  // What either kernel has computed.
  using results = std::pair<std::vector<float>, std::vector<sycl::float4>>;
  results first{ROWS, ROWS}, now{ROWS, ROWS};
  bool is_right = true;
  const auto run = [&](results& to) {
    queue.parallel_for<class rows>(sycl::range<1>(ROWS), [=](sycl::id<1> row) {
      float sum = 0;
      for (std::uint32_t i = starts_there[row]; i < starts_there[row + 1]; ++i)
        sum = sum * 0.75f + sycl::sin(values[i]) / (1 + values[i]);
      sums[row] = sum;
    });
    // Products and sums of vectors are contracted, and as many in either form.
    queue.parallel_for<class quads>(sycl::range<1>(ROWS), [=](sycl::id<1> row) {
      sycl::float4 sum{1, 2, 3, 4};
      for (std::uint32_t i = starts_there[row]; i < starts_there[row + 1]; ++i)
        sum = sum * values[i] + sycl::float4{0.3f, values[i] - 0.7f, 0.1f, 0.9f} - sum * sum * 0.001f;
      quads_there[row] = sum;
    });
    queue.copy(sums, to.first.data(), ROWS);
    queue.copy(quads_there, to.second.data(), ROWS).wait();
  };
  run(first);
  const auto start = std::chrono::steady_clock::now();
  while (argc == 1 && std::chrono::steady_clock::now() - start < std::chrono::seconds(3)) {
    run(now);
    is_right = is_right && now.first == first.first &&
               std::memcmp(now.second.data(), first.second.data(), ROWS * sizeof(sycl::float4)) == 0;
  }
  for (void* memory : {static_cast<void*>(starts_there), static_cast<void*>(values), static_cast<void*>(sums), static_cast<void*>(quads_there)})
    sycl::free(memory, queue);
  std::printf("%s, compiled %d\n", is_right ? "right" : "wrong", static_cast<int>(falx::jit_compilations()));
}
