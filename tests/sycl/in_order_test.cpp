// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SYCL 2020 §4.6.5: in-order queues and shortcuts with kernels.
#include <sycl/sycl.hpp>

#include <gtest/gtest.h>

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

} // namespace
