// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Prefetches (sycl_ext_oneapi_prefetch) as the document's examples have them, of two levels and without
// reuse, by sub-groups together, and where they pay: a large table in an order that no hardware guesses.
#include <sycl/sycl.hpp>

#include <cstdint>
#include <cstdio>
#include <vector>

namespace syclex = sycl::ext::oneapi::experimental;

constexpr std::uint32_t TABLE = 1u << 22, ITEMS = 1u << 12, STEPS = 64, AHEAD = 8;
/// Elements behind the ones that are read, so that what is prefetched is there.
constexpr std::uint32_t MARGIN = 100;

/// Each work-item reads a row of its own; the second run will not read it again.
static void rows(sycl::queue& queue, const std::uint32_t* data, std::uint32_t* sums) {
  queue.parallel_for(ITEMS, [=](sycl::id<1> self) {
    const std::uint32_t* row = data + self * STEPS;
    std::uint32_t sum = 0;
    for (std::uint32_t j = 0; j < STEPS; ++j) {
      syclex::prefetch(&row[j + 10], syclex::properties{syclex::prefetch_hint_L1});
      syclex::prefetch(&row[j + 100], syclex::properties{syclex::prefetch_hint_L3});
      sum = sum * 31 + row[j];
    }
    sums[self] = sum;
  });
  queue.wait();
  queue.parallel_for(ITEMS, [=](sycl::id<1> self) {
    const std::uint32_t* row = data + self * STEPS;
    std::uint32_t sum = 0;
    for (std::uint32_t j = 0; j < STEPS; ++j) {
      syclex::prefetch(
          &row[j + 10],
          syclex::properties{syclex::prefetch_hint<syclex::cache_level::L1, syclex::nontemporal>});
      sum = sum * 31 + row[j];
    }
    sums[self] += sum;
  });
  queue.wait();
}

/// All sub-groups read the same elements, and prefetch the next ones together.
static void together(sycl::queue& queue, const std::uint32_t* data, std::uint32_t* sums) {
  queue.parallel_for(sycl::nd_range<1>(ITEMS, 128), [=](sycl::nd_item<1> item) {
    const sycl::sub_group group = item.get_sub_group();
    const std::uint32_t width = group.get_max_local_range()[0];
    std::uint32_t sum = 0;
    for (std::uint32_t first = 0; first < 4096; first += width) {
      syclex::joint_prefetch(group, &data[first + MARGIN], width,
                             syclex::properties{syclex::prefetch_hint_L3});
      sum +=
          sycl::reduce_over_group(group, data[first + group.get_local_id()[0]], sycl::plus<std::uint32_t>());
    }
    sums[item.get_global_linear_id()] = sum;
  });
  queue.wait();
}

/// Each element is fetched some steps before it is needed.
static void scattered(sycl::queue& queue, const std::uint32_t* data, const std::uint32_t* order,
                      std::uint32_t* sums) {
  queue.parallel_for(ITEMS, [=](sycl::id<1> self) {
    std::uint32_t sum = 0;
    for (std::uint32_t step = 0; step < STEPS; ++step) {
      syclex::prefetch(&data[order[(step + AHEAD) * ITEMS + self]],
                       syclex::properties{syclex::prefetch_hint_L1_nt});
      sum = sum * 31 + data[order[step * ITEMS + self]];
    }
    sums[self] = sum;
  });
  queue.wait();
}

int main() {
  sycl::queue queue;
  std::uint32_t* table = sycl::malloc_shared<std::uint32_t>(TABLE + MARGIN, queue);
  std::uint32_t* order = sycl::malloc_shared<std::uint32_t>(ITEMS * (STEPS + AHEAD), queue);
  std::uint32_t* sums = sycl::malloc_shared<std::uint32_t>(ITEMS, queue);
  for (std::uint32_t i = 0; i < TABLE + MARGIN; ++i)
    table[i] = i * 2654435761u;
  for (std::uint32_t i = 0; i < ITEMS * (STEPS + AHEAD); ++i)
    order[i] = (i * 2246822519u) % TABLE;

  std::uint32_t wrong = 0;
  const auto check = [&](auto expected) {
    for (std::uint32_t self = 0; self < ITEMS; ++self)
      wrong += sums[self] != expected(self);
  };
  rows(queue, table, sums);
  check([&](std::uint32_t self) {
    std::uint32_t sum = 0;
    for (std::uint32_t j = 0; j < STEPS; ++j)
      sum = sum * 31 + table[self * STEPS + j];
    return 2 * sum;
  });
  together(queue, table, sums);
  std::uint32_t total = 0;
  for (std::uint32_t i = 0; i < 4096; ++i)
    total += table[i];
  check([&](std::uint32_t) { return total; });
  scattered(queue, table, order, sums);
  check([&](std::uint32_t self) {
    std::uint32_t sum = 0;
    for (std::uint32_t step = 0; step < STEPS; ++step)
      sum = sum * 31 + table[order[step * ITEMS + self]];
    return sum;
  });

  std::printf("prefetch: rows, sub-groups and a scattered table on %s, %s\n",
              queue.get_device().get_info<sycl::info::device::name>().c_str(),
              wrong == 0 ? "verified" : "WRONG");
  sycl::free(table, queue);
  sycl::free(order, queue);
  sycl::free(sums, queue);
  return wrong == 0 ? 0 : 1;
}
