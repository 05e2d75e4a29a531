// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl_khr_default_context, sycl_khr_queue_empty_query, sycl_khr_queue_flush and
// sycl_khr_max_work_group_queries.
#include <sycl/sycl.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <future>
#include <thread>
#include <type_traits>

namespace {

using namespace sycl;
namespace queries = khr::info::device;

static_assert(SYCL_KHR_DEFAULT_CONTEXT == 1 && SYCL_KHR_QUEUE_EMPTY_QUERY == 1 && SYCL_KHR_QUEUE_FLUSH == 1 &&
              SYCL_KHR_MAX_WORK_GROUP_QUERIES == 1);
static_assert(std::is_same_v<queries::max_work_group_range<>::return_type, range<3>>);
static_assert(std::is_same_v<queries::max_work_group_range_size::return_type, std::size_t>);

TEST(khr_default_context, has_all_devices_and_is_that_of_queues_without_one) {
  const queue q;
  const platform of = q.get_device().get_platform();
  const context shared = of.khr_get_default_context();
  EXPECT_EQ(shared.get_devices(), of.get_devices());
  EXPECT_EQ(shared, of.khr_get_default_context());
  EXPECT_EQ(shared, q.get_context());
  EXPECT_EQ(shared, queue(q.get_device(), property::queue::in_order()).get_context());
  EXPECT_NE(shared, context(of));
}

class khr_queue : public testing::TestWithParam<bool> {
protected:
  queue queue_{GetParam() ? property_list{property::queue::in_order()} : property_list{}};
};
INSTANTIATE_TEST_SUITE_P(order, khr_queue, testing::Bool());

TEST_P(khr_queue, is_empty_when_all_is_complete) {
  EXPECT_TRUE(queue_.khr_empty());
  std::promise<void> gate;
  std::future<void> opened = gate.get_future();
  const event first = queue_.submit([&](handler& cgh) { cgh.host_task([&] { opened.wait(); }); });
  EXPECT_FALSE(queue_.khr_empty());
  event second = queue_.single_task(first, [] {});
  EXPECT_FALSE(queue_.khr_empty());
  gate.set_value();
  second.wait();
  EXPECT_TRUE(queue_.khr_empty());
  EXPECT_TRUE(queue(queue_).khr_empty());
}

TEST_P(khr_queue, makes_progress_after_a_flush) {
  std::promise<void> gate, done;
  std::future<void> opened = gate.get_future();
  // The last of a chain over device and host: without anybody who waits or polls.
  const event first = queue_.single_task([] {});
  const event second = queue_.submit([&](handler& cgh) {
    cgh.depends_on(first);
    cgh.host_task([&] { opened.wait(); });
  });
  const event third = queue_.single_task(second, [] {});
  queue_.submit([&](handler& cgh) {
    cgh.depends_on(third);
    cgh.host_task([&] { done.set_value(); });
  });
  queue_.khr_flush(); // does not block
  gate.set_value();
  EXPECT_EQ(done.get_future().wait_for(std::chrono::seconds(60)), std::future_status::ready);
  queue_.wait();
}

TEST_P(khr_queue, completes_events_after_a_flush) {
  const event last = queue_.single_task([] {});
  queue_.khr_flush();
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (last.get_info<info::event::command_execution_status>() != info::event_command_status::complete &&
         std::chrono::steady_clock::now() < end)
    std::this_thread::yield();
  EXPECT_EQ(last.get_info<info::event::command_execution_status>(), info::event_command_status::complete);
}

template <int Dimensions>
void expect_launch_at_the_limit(queue& q) {
  const device on = q.get_device();
  const range<Dimensions> most = on.get_info<queries::max_work_group_range<Dimensions>>();
  const std::size_t in_all = on.get_info<queries::max_work_group_range_size>();
  EXPECT_GE(in_all, 65536u);
  // Every dimension by itself, as far as a test can go.
  for (int d = 0; d < Dimensions; ++d) {
    ASSERT_GE(most[d], 1u);
    range<Dimensions> global = most;
    for (int other = 0; other < Dimensions; ++other)
      global[other] = 1;
    global[d] = std::min({most[d], in_all, std::size_t{70'000}}); // more than a GPU's y and z take
    range<Dimensions> local = global;
    local[d] = 1;
    int* const last = malloc_shared<int>(1, q);
    *last = 0;
    q.parallel_for(nd_range<Dimensions>(global, local), [=](nd_item<Dimensions> item) {
       if (item.get_global_linear_id() + 1 == item.get_global_range().size())
         *last = 1;
     }).wait();
    EXPECT_EQ(*last, 1) << "dimension " << d << " of " << Dimensions;
    free(last, q);
  }
}

TEST(khr_max_work_group_queries, tell_what_can_be_launched) {
  queue q;
  if (!q.get_device().has(aspect::usm_shared_allocations))
    GTEST_SKIP() << "the device has no shared USM";
  expect_launch_at_the_limit<1>(q);
  expect_launch_at_the_limit<2>(q);
  expect_launch_at_the_limit<3>(q);
}

} // namespace
