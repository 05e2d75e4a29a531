// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sycl/accessor.hpp"
#include "sycl/buffer.hpp"
#include "sycl/interop_handle.hpp"
#include "sycl/queue.hpp"

#include <atomic>
#include <chrono>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

/// \file
/// Many threads that submit commands over the same buffers: buffers must see the commands of a queue in the
/// queue's order.

namespace {

sycl::queue make_queue(const sycl::property_list& properties = {}) {
  return sycl::queue(properties);
}

void stay_busy(std::chrono::microseconds time) {
  const auto until = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < until)
    std::this_thread::yield();
}

/// What is in use must be in use once.
struct exclusive_use {
  std::atomic<int> users{0};
  std::atomic<int> collisions{0};
  void use() {
    if (users.fetch_add(1) != 0)
      ++collisions;
    stay_busy(std::chrono::microseconds(5));
    users.fetch_sub(1);
  }
};

sycl::event submit_use(sycl::queue& queue, sycl::buffer<int>& buffer, exclusive_use& use) {
  return queue.submit([&](sycl::handler& group) {
    const sycl::accessor value(buffer, group, sycl::read_write_host_task);
    group.host_task([&use] { use.use(); });
  });
}

TEST(submission, threads_that_share_an_in_order_queue_do_not_swap_before_other_queues) {
  sycl::queue shared = make_queue(sycl::property::queue::in_order()), other = make_queue();
  sycl::buffer<int> buffer(1);
  exclusive_use use;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 1500; ++i)
        submit_use(t == 3 ? other : shared, buffer, use);
    });
  for (std::thread& thread : threads)
    thread.join();
  shared.wait();
  other.wait();
  EXPECT_EQ(use.collisions, 0);
}

TEST(submission, queues_that_wait_for_each_other_through_buffers_and_events_do_not_wait_in_a_circle) {
  for (const bool in_order : {false, true}) {
    sycl::queue first = in_order ? make_queue(sycl::property::queue::in_order()) : make_queue();
    sycl::queue second = make_queue();
    sycl::buffer<int> buffer(1);
    exclusive_use use;
    std::vector<std::thread> threads;
    for (int t = 0; t < 2; ++t)
      threads.emplace_back([&] {
        for (int i = 0; i < 1500; ++i)
          submit_use(first, buffer, use);
      });
    threads.emplace_back([&] {
      for (int i = 0; i < 500; ++i) {
        const sycl::event used = submit_use(second, buffer, use);
        // What comes after this in the first queue waits for the second one.
        first.ext_oneapi_submit_barrier({used});
      }
    });
    for (std::thread& thread : threads)
      thread.join();
    first.wait();
    second.wait();
    EXPECT_EQ(use.collisions, 0);
  }
}

} // namespace
