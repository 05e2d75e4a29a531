// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SYCL 2020 §4.6.5: in-order queues and shortcuts with kernels.
#include <sycl/sycl.hpp>

#include <cstddef>
#include <gtest/gtest.h>
#include <vector>

namespace {

TEST(in_order, kernels_see_what_earlier_ones_wrote) {
  sycl::queue queue{sycl::property::queue::in_order()};
  constexpr std::size_t count = 4096;
  int* p = sycl::malloc_shared<int>(count, queue);
  queue.fill(p, 0, count);
  for (int step = 0; step < 200; ++step)
    queue.parallel_for(count, [=](sycl::id<1> i) {
      const std::size_t mirror = count - 1 - i[0];
      if (i[0] < mirror) {
        p[i[0]] += 1;
        p[mirror] = p[i[0]];
      }
    });
  int sum = 0;
  queue.submit([&](sycl::handler& group) {
    group.host_task([&, p] {
      for (std::size_t i = 0; i < count; ++i)
        sum += p[i];
    });
  });
  queue.single_task([=] { p[0] = -1; });
  queue.wait();
  EXPECT_EQ(sum, 200 * static_cast<int>(count));
  EXPECT_EQ(p[0], -1);
  sycl::free(p, queue);
}

TEST(in_order, large_and_small_kernels_alternate) {
  sycl::queue queue{sycl::property::queue::in_order()};
  constexpr std::size_t count = std::size_t{1} << 20;
  int* p = sycl::malloc_shared<int>(count, queue);
  queue.fill(p, 0, count);
  for (int step = 1; step <= 20; ++step) {
    queue.parallel_for(count, [=](sycl::id<1> i) { p[i] += p[0] - p[0] + 1; });
    queue.single_task([=] { p[count - 1] = p[0]; });
  }
  queue.wait();
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < count; ++i)
    wrong += p[i] != 20;
  EXPECT_EQ(wrong, 0u);
  sycl::free(p, queue);
}

TEST(in_order, two_queues_wait_for_each_other) {
  sycl::queue first{sycl::property::queue::in_order()};
  sycl::queue second{sycl::property::queue::in_order()};
  int* p = sycl::malloc_shared<int>(1, first);
  *p = 0;
  sycl::event last;
  for (int i = 0; i < 500; ++i) {
    last = first.single_task(last, [=] { *p = *p * 3 + 1; });
    last = second.single_task(last, [=] { *p = *p % 1001; });
  }
  last.wait();
  int expected = 0;
  for (int i = 0; i < 500; ++i)
    expected = (expected * 3 + 1) % 1001;
  EXPECT_EQ(*p, expected);
  sycl::free(p, first);
}

/// Reads what other work-groups wrote in the launch before, and what the same multiprocessor may have read
/// before that.
struct mirrored {
  unsigned* to;
  const unsigned* from;
  std::size_t count;
  void operator()(sycl::id<1> i) const { to[i[0]] = 3 * from[count - 1 - i[0]] + 1; }
};

/// The same with loads that the processor may keep in its cache for constants.
struct mirrored_of_constants {
  unsigned* to;
  const unsigned* from;
  std::size_t count;
  [[intel::kernel_args_restrict]] void operator()(sycl::id<1> i) const {
    to[i[0]] = 3 * from[count - 1 - i[0]] + 1;
  }
};

unsigned after_launches(unsigned value, int launches) {
  for (int i = 0; i < launches; ++i)
    value = 3 * value + 1;
  return value;
}

/// Work-groups of all sizes: some leave multiprocessors idle, some are many rounds of them.
constexpr std::size_t CHAIN_SIZES[] = {1, 33, 4096, 33792, 270336};

template <class Kernel>
void expect_chain(sycl::queue& queue, bool is_ordered_by_events) {
  constexpr int LAUNCHES = 60; // even: element i depends on element i
  for (const std::size_t count : CHAIN_SIZES) {
    unsigned* const a = sycl::malloc_device<unsigned>(count, queue);
    unsigned* const b = sycl::malloc_device<unsigned>(count, queue);
    std::vector<unsigned> values(count);
    for (std::size_t i = 0; i < count; ++i)
      values[i] = static_cast<unsigned>(7 * i);
    sycl::event last = queue.copy(values.data(), a, count);
    for (int i = 0; i < LAUNCHES; ++i) {
      const Kernel kernel{i % 2 == 0 ? b : a, i % 2 == 0 ? a : b, count};
      last = is_ordered_by_events ? queue.parallel_for(sycl::range(count), last, kernel)
                                  : queue.parallel_for(sycl::range(count), kernel);
    }
    queue.copy(a, values.data(), count, last).wait();
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < count; ++i)
      wrong += values[i] != after_launches(static_cast<unsigned>(7 * i), LAUNCHES);
    EXPECT_EQ(wrong, 0u) << count;
    sycl::free(a, queue);
    sycl::free(b, queue);
  }
}

TEST(in_order, chains_of_kernels_read_what_other_groups_wrote) {
  sycl::queue queue{sycl::property::queue::in_order()};
  expect_chain<mirrored>(queue, false);
  expect_chain<mirrored_of_constants>(queue, false);
}

TEST(in_order, chains_out_of_order_do_too) {
  sycl::queue queue;
  expect_chain<mirrored>(queue, true);
  expect_chain<mirrored_of_constants>(queue, true);
}

/// Sums over work-groups in local memory, then of these by atomic operations, then a reset by one work-item:
/// three kernels of different sizes, of which each needs the one before whole.
TEST(in_order, chains_of_unlike_kernels) {
  sycl::queue queue{sycl::property::queue::in_order()};
  constexpr std::size_t GROUP = 128, GROUPS = 1000;
  unsigned* const sums = sycl::malloc_device<unsigned>(GROUPS, queue);
  unsigned* const total = sycl::malloc_device<unsigned>(1, queue);
  unsigned* const seen = sycl::malloc_shared<unsigned>(50, queue);
  queue.fill(total, 0u, 1);
  for (unsigned round = 0; round < 50; ++round) {
    queue.submit([&](sycl::handler& group) {
      sycl::local_accessor<unsigned> local(GROUP, group);
      group.parallel_for(sycl::nd_range<1>(GROUPS * GROUP, GROUP), [=](sycl::nd_item<1> item) {
        const std::size_t i = item.get_local_id(0);
        local[i] = round + 1;
        sycl::group_barrier(item.get_group());
        if (i != 0)
          return;
        unsigned sum = *total; // 0 again
        for (std::size_t k = 0; k < GROUP; ++k)
          sum += local[k];
        sums[item.get_group(0)] = sum;
      });
    });
    queue.parallel_for(sycl::range(GROUPS), [=](sycl::id<1> i) {
      sycl::atomic_ref<unsigned, sycl::memory_order::relaxed, sycl::memory_scope::device>(*total) += sums[i];
    });
    queue.single_task([=] {
      seen[round] = *total;
      *total = 0;
    });
  }
  queue.wait();
  for (unsigned round = 0; round < 50; ++round)
    EXPECT_EQ(seen[round], GROUPS * GROUP * (round + 1)) << round;
  for (unsigned* memory : {sums, total, seen})
    sycl::free(memory, queue);
}

TEST(in_order, kernels_between_copies_and_fills) {
  sycl::queue queue{sycl::property::queue::in_order()};
  constexpr std::size_t COUNT = 50'000;
  unsigned* const a = sycl::malloc_device<unsigned>(COUNT, queue);
  unsigned* const b = sycl::malloc_device<unsigned>(COUNT, queue);
  std::vector<std::vector<unsigned>> results(30, std::vector<unsigned>(COUNT)), ends = results;
  for (unsigned round = 0; round < 30; ++round) {
    queue.fill(a, round, COUNT);
    queue.parallel_for(sycl::range(COUNT), mirrored{b, a, COUNT});
    queue.parallel_for(sycl::range(COUNT), mirrored{a, b, COUNT});
    queue.copy(a, b, COUNT);
    queue.parallel_for(sycl::range(COUNT), mirrored{a, b, COUNT});
    queue.memset(b, 0xff, COUNT * sizeof(unsigned));
    queue.parallel_for(sycl::range(COUNT), [=](sycl::id<1> i) { a[i] += b[i]; });
    queue.copy(a, results[round].data(), COUNT);
    queue.parallel_for(sycl::range(COUNT), [=](sycl::id<1> i) { b[i] = a[i] + 1; });
    queue.copy(results[0].data(), a, COUNT); // of the host, into what was read a moment ago
    queue.parallel_for(sycl::range(COUNT), mirrored_of_constants{b, a, COUNT});
    queue.copy(b, ends[round].data(), COUNT);
  }
  queue.wait();
  for (unsigned round = 0; round < 30; ++round) {
    EXPECT_EQ(results[round], std::vector<unsigned>(COUNT, after_launches(round, 3) - 1)) << round;
    EXPECT_EQ(ends[round], std::vector<unsigned>(COUNT, after_launches(after_launches(0, 3) - 1, 1)))
        << round;
  }
  sycl::free(a, queue);
  sycl::free(b, queue);
}

} // namespace
