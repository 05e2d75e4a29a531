// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SYCL 2020 §4.6.6: events of kernels.
#include <sycl/sycl.hpp>

#include <gtest/gtest.h>
#include <vector>

namespace {

TEST(event, orders_kernels_of_an_out_of_order_queue) {
  sycl::queue queue;
  int* p = sycl::malloc_shared<int>(3, queue);
  p[0] = p[1] = p[2] = 0;
  const sycl::event a = queue.single_task([=] { p[0] = 1; });
  const sycl::event b = queue.single_task([=] { p[1] = 2; });
  queue.single_task({a, b}, [=] { p[2] = p[0] + p[1]; }).wait();
  EXPECT_EQ(p[2], 3);
  sycl::free(p, queue);
}

TEST(event, is_complete_after_wait) {
  sycl::queue queue;
  std::vector<sycl::event> events;
  for (int i = 0; i < 10; ++i)
    events.push_back(queue.single_task([] {}));
  sycl::event::wait_and_throw(events);
  for (const sycl::event& some : events)
    EXPECT_EQ(some.get_info<sycl::info::event::command_execution_status>(),
              sycl::info::event_command_status::complete);
}

TEST(event, has_times_on_a_profiling_queue) {
  sycl::queue queue{sycl::property::queue::enable_profiling()};
  const sycl::event some = queue.single_task([] {});
  const auto submitted = some.get_profiling_info<sycl::info::event_profiling::command_submit>();
  const auto started = some.get_profiling_info<sycl::info::event_profiling::command_start>();
  const auto ended = some.get_profiling_info<sycl::info::event_profiling::command_end>();
  EXPECT_LE(submitted, started);
  EXPECT_LE(started, ended);
}

} // namespace
