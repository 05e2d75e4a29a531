// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Histograms with a table per work-group in local memory, written in scoped parallelism: no handler, no local
// accessor, and no barrier that is not at the end of a step.
//   falx++ -O2 scoped_parallelism.cpp -o histogram && ./histogram
#include <sycl/sycl.hpp>

#include <cstdio>

int main() {
  constexpr std::size_t bins = 64, group_size = 128, groups = 256, count = groups * group_size;
  sycl::queue queue;
  unsigned char* values = sycl::malloc_shared<unsigned char>(count, queue);
  unsigned* histogram = sycl::malloc_shared<unsigned>(bins, queue);
  for (std::size_t i = 0; i < count; ++i)
    values[i] = static_cast<unsigned char>(i * i % bins);
  for (std::size_t i = 0; i < bins; ++i)
    histogram[i] = 0;

  queue
      .parallel(
          sycl::range<1>(groups), sycl::range<1>(group_size),
          [=](auto group) {
            sycl::memory_environment(group, sycl::require_local_mem<unsigned[bins]>(0u), [&](auto& mine) {
              sycl::distribute_items_and_wait(group, [&](sycl::s_item<1> item) {
                sycl::atomic_ref<unsigned, sycl::memory_order::relaxed, sycl::memory_scope::work_group>(
                    mine[values[item.get_global_id(0)]])
                    .fetch_add(1);
              });
              sycl::distribute_items(group, [&](sycl::s_item<1> item) {
                const std::size_t bin = item.get_local_id(group, 0);
                if (bin < bins)
                  sycl::atomic_ref<unsigned, sycl::memory_order::relaxed, sycl::memory_scope::device>(
                      histogram[bin])
                      .fetch_add(mine[bin]);
              });
            });
          })
      .wait();

  unsigned expected[bins] = {};
  for (std::size_t i = 0; i < count; ++i)
    ++expected[values[i]];
  bool ok = true;
  for (std::size_t i = 0; i < bins; ++i)
    ok &= histogram[i] == expected[i];
  std::printf("%s: %u values in bin 0\n", ok ? "counted" : "WRONG", histogram[0]);
  sycl::free(values, queue);
  sycl::free(histogram, queue);
  return ok ? 0 : 1;
}
