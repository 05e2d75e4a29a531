// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Synchronous and asynchronous errors (SYCL 2020 §4.13).
#include <sycl/sycl.hpp>

#include <gtest/gtest.h>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

TEST(errors, an_exception_of_a_host_task_reaches_the_async_handler) {
  std::vector<std::string> seen;
  sycl::queue queue(sycl::default_selector_v, [&](sycl::exception_list errors) {
    for (const std::exception_ptr& each : errors)
      try {
        std::rethrow_exception(each);
      } catch (const std::runtime_error& error) {
        seen.emplace_back(error.what());
      }
  });
  queue.submit(
      [](sycl::handler& group) { group.host_task([] { throw std::runtime_error("from a host task"); }); });
  queue.wait_and_throw();
  EXPECT_EQ(seen, std::vector<std::string>{"from a host task"});
}

TEST(errors, waiting_for_an_event_reports_those_of_what_it_came_after) {
  std::vector<int> seen;
  const auto handler = [&](int number) {
    return [&seen, number](const sycl::exception_list& errors) {
      seen.insert(seen.end(), errors.size(), number);
    };
  };
  sycl::queue first(handler(1)), second(handler(2)), third(handler(3)), unrelated(handler(4));
  const auto fail = [](sycl::handler& group) { group.host_task([] { throw 1; }); };
  unrelated.submit(fail).wait();
  sycl::event event = first.submit(fail);
  for (sycl::queue* queue : {&second, &third})
    event = queue->submit([&](sycl::handler& group) {
      group.depends_on(event);
      group.host_task([] {});
    });
  event.wait_and_throw();
  EXPECT_EQ(seen, std::vector{1});
}

TEST(errors, a_group_that_does_not_divide_the_range_is_an_nd_range_error) {
  sycl::queue queue;
  try {
    queue.parallel_for(sycl::nd_range<1>(10, 3), [](sycl::nd_item<1>) {}).wait();
    FAIL() << "the launch was accepted";
  } catch (const sycl::exception& error) {
    EXPECT_EQ(error.code(), sycl::errc::nd_range);
    EXPECT_FALSE(std::string(error.what()).empty());
  }
}

TEST(errors, the_handler_type_is_the_specified_one) {
  static_assert(std::is_constructible_v<sycl::async_handler, void (*)(sycl::exception_list)>);
  int calls = 0;
  const sycl::async_handler handler = [&](sycl::exception_list errors) {
    calls += 1 + static_cast<int>(errors.size());
  };
  handler(sycl::exception_list());
  EXPECT_EQ(calls, 1);
}
