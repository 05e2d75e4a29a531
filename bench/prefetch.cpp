// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// prefetch [rounds]
// What sycl_ext_oneapi_prefetch gains where no hardware guesses the next address: records of a table of 256
// MB, looked up in random order, and lists whose nodes lie anywhere and know the node some steps ahead. Each
// kernel runs with and without prefetches, in turn. Prints the least times in ms and their ratio.
#include <sycl/sycl.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace {

namespace syclex = sycl::ext::oneapi::experimental;

struct record {
  float values[16];
};
struct node {
  std::uint32_t next, ahead; // by number
  float values[14];
};
static_assert(sizeof(record) == 64 && sizeof(node) == 64);

constexpr std::uint32_t RECORDS = 1u << 22, ITEMS = 1u << 13, STEPS = 128, AHEAD = 6;

/// About a hundred dependent operations: more than a processor looks ahead.
float digest(const float* values, float sum) {
  for (int i = 0; i < 14; ++i)
    sum = values[i] + sum * (0.5f + 0.25f * values[i] * sum);
  return sum;
}

template <bool Prefetch>
void look_up(sycl::queue& queue, const record* table, const std::uint32_t* order, float* sums) {
  queue
      .parallel_for(sycl::range<1>(ITEMS),
                    [=](sycl::id<1> self) {
                      float sum = 0;
                      for (std::uint32_t step = 0; step < STEPS; ++step) {
                        if constexpr (Prefetch)
                          syclex::prefetch(&table[order[(step + AHEAD) * ITEMS + self]]);
                        sum = digest(table[order[step * ITEMS + self]].values, sum);
                      }
                      sums[self] = sum;
                    })
      .wait();
}

template <bool Prefetch>
void walk(sycl::queue& queue, const node* nodes, float* sums) {
  queue
      .parallel_for(sycl::range<1>(ITEMS),
                    [=](sycl::id<1> self) {
                      float sum = 0;
                      std::uint32_t at = static_cast<std::uint32_t>(self);
                      for (std::uint32_t step = 0; step < STEPS; ++step) {
                        if constexpr (Prefetch)
                          syclex::prefetch(&nodes[nodes[at].ahead]);
                        sum = digest(nodes[at].values, sum);
                        at = nodes[at].next;
                      }
                      sums[self] = sum;
                    })
      .wait();
}

template <class Plain, class Prefetching>
void compare(const char* name, int rounds, const Plain& plain, const Prefetching& prefetching) {
  double best[2] = {1e30, 1e30};
  const auto measure = [](const auto& kernel, double& least) {
    const auto start = std::chrono::steady_clock::now();
    kernel();
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    least = std::min(least, took.count());
  };
  for (int round = 0; round <= rounds; ++round) {
    if (round == 1)
      best[0] = best[1] = 1e30; // the first one compiled
    measure(plain, best[0]);
    measure(prefetching, best[1]);
  }
  std::printf("%-24s without %8.2f ms, with prefetches %8.2f ms: %.2f times as fast\n", name, best[0],
              best[1], best[0] / best[1]);
}

} // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 10;
  sycl::queue queue;
  std::printf("%s\n", queue.get_device().get_info<sycl::info::device::name>().c_str());
  auto* table = sycl::malloc_device<record>(RECORDS, queue);
  auto* nodes = sycl::malloc_device<node>(RECORDS, queue);
  auto* order = sycl::malloc_device<std::uint32_t>(ITEMS * (STEPS + AHEAD), queue);
  auto* sums = sycl::malloc_device<float>(ITEMS, queue);
  // A bijection of the numbers below RECORDS, far from the identity; its powers are known.
  constexpr std::uint32_t FACTOR = 1664525, MASK = RECORDS - 1;
  std::uint32_t power = 1, offset = 0;
  for (std::uint32_t i = 0; i < AHEAD; ++i) {
    offset = (offset * FACTOR + 1013904223u) & MASK;
    power = (power * FACTOR) & MASK;
  }
  queue.parallel_for(sycl::range<1>(RECORDS), [=](sycl::id<1> i) {
    const std::uint32_t number = static_cast<std::uint32_t>(i);
    nodes[number].next = (number * FACTOR + 1013904223u) & MASK;
    nodes[number].ahead = (number * power + offset) & MASK;
    for (int v = 0; v < 14; ++v)
      table[number].values[v] = nodes[number].values[v] = static_cast<float>((number + v) % 97) * 0.01f;
  });
  queue
      .parallel_for(sycl::range<1>(ITEMS * (STEPS + AHEAD)),
                    [=](sycl::id<1> i) {
                      std::uint32_t x = static_cast<std::uint32_t>(i) * 747796405u + 2891336453u;
                      x = ((x >> ((x >> 28) + 4)) ^ x) * 277803737u;
                      order[i] = ((x >> 22) ^ x) & MASK;
                    })
      .wait();
  compare(
      "look-ups in 256 MB", rounds, [&] { look_up<false>(queue, table, order, sums); },
      [&] { look_up<true>(queue, table, order, sums); });
  compare(
      "lists in 256 MB", rounds, [&] { walk<false>(queue, nodes, sums); },
      [&] { walk<true>(queue, nodes, sums); });
  sycl::free(table, queue);
  sycl::free(nodes, queue);
  sycl::free(order, queue);
  sycl::free(sums, queue);
  return 0;
}
