// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reads a large table in an order that no hardware guesses, and has each element fetched some steps ahead
// (sycl_ext_oneapi_prefetch).
#include <sycl/sycl.hpp>

#include <cstdint>
#include <cstdio>
#include <vector>

namespace syclex = sycl::ext::oneapi::experimental;

int main() {
  constexpr std::uint32_t size = 1u << 22, items = 1u << 12, steps = 64, ahead = 8;
  sycl::queue queue;
  std::uint32_t* table = sycl::malloc_shared<std::uint32_t>(size, queue);
  std::uint32_t* order = sycl::malloc_shared<std::uint32_t>(items * (steps + ahead), queue);
  std::uint32_t* sums = sycl::malloc_shared<std::uint32_t>(items, queue);
  for (std::uint32_t i = 0; i < size; ++i)
    table[i] = i * 2654435761u;
  for (std::uint32_t i = 0; i < items * (steps + ahead); ++i)
    order[i] = (i * 2246822519u) % size;

  queue
      .parallel_for(sycl::range<1>(items),
                    [=](sycl::id<1> self) {
                      std::uint32_t sum = 0;
                      for (std::uint32_t step = 0; step < steps; ++step) {
                        syclex::prefetch(&table[order[(step + ahead) * items + self]],
                                         syclex::properties{syclex::prefetch_hint_L1_nt});
                        sum = sum * 31 + table[order[step * items + self]];
                      }
                      sums[self] = sum;
                    })
      .wait();

  std::uint32_t wrong = 0;
  for (std::uint32_t self = 0; self < items; ++self) {
    std::uint32_t sum = 0;
    for (std::uint32_t step = 0; step < steps; ++step)
      sum = sum * 31 + table[order[step * items + self]];
    wrong += sums[self] != sum;
  }
  std::printf("prefetch: %u elements on %s, %s\n", items * steps,
              queue.get_device().get_info<sycl::info::device::name>().c_str(),
              wrong == 0 ? "verified" : "WRONG");
  sycl::free(table, queue);
  sycl::free(order, queue);
  sycl::free(sums, queue);
  return wrong == 0 ? 0 : 1;
}
