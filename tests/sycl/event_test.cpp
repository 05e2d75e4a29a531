// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SYCL 2020 §4.6.6: events of kernels.
#include <sycl/sycl.hpp>

#include <gtest/gtest.h>

#include <future>
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

TEST(event, orders_shortcuts_alone_in_a_vector_and_in_braces) {
  sycl::queue queue;
  constexpr std::size_t COUNT = 4;
  int* p = sycl::malloc_shared<int>(COUNT, queue);
  int* q = sycl::malloc_shared<int>(COUNT, queue);
  const sycl::event first = queue.memset(p, 0, COUNT * sizeof(int));
  const sycl::event second = queue.fill(q, 1, COUNT, {});
  const sycl::event one = queue.single_task(first, [=] { p[0] += 2; });
  const std::vector<sycl::event> both{one, second};
  const sycl::event several = queue.single_task(both, [=] { p[1] = p[0] + q[1]; });
  const sycl::event copied = queue.copy(p, q, COUNT, {several, second});
  const sycl::event on = queue.parallel_for(COUNT, {copied, several}, [=](sycl::id<1> i) { q[i] += 10; });
  queue.memcpy(p, q, COUNT * sizeof(int), std::vector<sycl::event>{on}).wait();
  EXPECT_EQ(p[0], 12);
  EXPECT_EQ(p[1], 13);
  EXPECT_EQ(p[2], 10);
  sycl::free(p, queue);
  sycl::free(q, queue);
}

TEST(event, waits_once_for_what_it_was_told_twice) {
  sycl::queue queue;
  std::promise<void> go;
  const sycl::event first =
      queue.submit([&](sycl::handler& group) { group.host_task([&] { go.get_future().wait(); }); });
  sycl::event second = queue.submit([&](sycl::handler& group) {
    group.depends_on(first);
    group.depends_on({first, sycl::event()});
    group.host_task([] {});
  });
  const std::vector<sycl::event> waits_for = second.get_wait_list();
  EXPECT_EQ(waits_for, std::vector{first});
  go.set_value();
  second.wait();
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
