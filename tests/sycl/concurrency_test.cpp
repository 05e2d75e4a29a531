// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Queues used by many threads, and from within host tasks.
#include <sycl/sycl.hpp>

#include <gtest/gtest.h>
#include <thread>
#include <vector>

namespace {

TEST(concurrency, threads_share_queues_and_kernels) {
  sycl::queue queues[] = {sycl::queue(), sycl::queue(sycl::property::queue::in_order())};
  constexpr int threads = 4, launches = 300;
  int* p = sycl::malloc_shared<int>(threads * 64, queues[0]);
  for (int i = 0; i < threads * 64; ++i)
    p[i] = 0;
  std::vector<std::thread> all;
  for (int t = 0; t < threads; ++t)
    all.emplace_back([&, t] {
      int* const mine = p + t * 64;
      sycl::event last;
      for (int i = 0; i < launches; ++i)
        last = queues[i % 2].parallel_for(64, last, [=](sycl::id<1> id) { mine[id] += 1; });
      last.wait();
    });
  for (std::thread& thread : all)
    thread.join();
  for (int i = 0; i < threads * 64; ++i)
    EXPECT_EQ(p[i], launches);
  sycl::free(p, queues[0]);
}

TEST(concurrency, host_tasks_submit_and_wait) {
  sycl::queue outer, inner;
  constexpr int tasks = 32;
  int* p = sycl::malloc_shared<int>(tasks, outer);
  for (int t = 0; t < tasks; ++t)
    outer.submit([&](sycl::handler& group) {
      group.host_task([=, &inner] { sycl::queue(inner).single_task([=] { p[t] = t; }).wait(); });
    });
  outer.wait();
  for (int t = 0; t < tasks; ++t)
    EXPECT_EQ(p[t], t);
  sycl::free(p, outer);
}

} // namespace
