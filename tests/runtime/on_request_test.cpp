// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fake_backend.hpp"
#include "sycl/queue.hpp"

#include <chrono>
#include <numeric>

/// \file
/// Devices that complete commands on request: nothing may rely on a completion that is not requested.

namespace {

using namespace falx;
using namespace falx::test;
using namespace std::chrono_literals;

const sycl::property_list in_order(const bool wanted = true) {
  return wanted ? sycl::property_list(sycl::property::queue::in_order()) : sycl::property_list();
}

fake_backend& machine() {
  static fake_backend& made = fake_backend::make(3);
  return made;
}

handle<command> submit(queue_state& queue, std::function<void()> body,
                       std::vector<handle<command>> dependencies = {}) {
  handle<command> self = make_launch(queue, std::move(body));
  queue.submit(self, std::move(dependencies));
  return self;
}

handle<command> submit_host_task(queue_state& queue, std::function<void()> body,
                                 std::vector<handle<command>> dependencies = {}) {
  handle<command> self = command::make_for(queue);
  self->work()->what = host_operation{std::move(body)};
  queue.submit(self, std::move(dependencies));
  return self;
}

class on_request : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(in_both_orders, on_request, testing::Bool());

TEST_P(on_request, waiting_asks_the_device) {
  fake_device& device = machine().native(0);
  const auto queue = machine().make_queue(0, in_order(GetParam()));
  bool ran = false;
  const auto self = submit(*queue, [&] { ran = true; });
  device.settle();
  EXPECT_FALSE(self->is_complete()) << "it was not polled";
  const int asked = device.notified;
  self->wait();
  EXPECT_TRUE(ran && self->is_complete());
  EXPECT_EQ(device.notified, asked) << "waiting needs no notification";
  queue->wait();
}

TEST_P(on_request, polling_asks_the_device) {
  fake_device& device = machine().native(0);
  const auto queue = machine().make_queue(0, in_order(GetParam()));
  device.hold(true);
  const auto self = submit(*queue, [] {});
  EXPECT_FALSE(self->poll());
  EXPECT_FALSE(queue->is_empty());
  device.hold(false);
  device.settle();
  EXPECT_TRUE(queue->is_empty());
  EXPECT_TRUE(self->is_complete());
}

TEST_P(on_request, a_thread_that_sleeps_before_the_hand_over_wakes_up) {
  const auto queue = machine().make_queue(0, in_order(GetParam()));
  const auto gate = command::make_manual();
  const auto self = submit(*queue, [] {}, {gate});
  std::thread sleeper([&] { self->wait(); });
  std::this_thread::sleep_for(5ms);
  gate->complete();
  sleeper.join();
  EXPECT_TRUE(self->is_complete());
}

TEST_P(on_request, dependents_on_the_host_are_told) {
  const auto queue = machine().make_queue(0, in_order(GetParam()));
  sycl::queue on_cpu(sycl::cpu_selector_v);
  const auto cpu = sycl::detail::internals::state(on_cpu);
  fake_device& device = machine().native(0);
  device.hold(true);
  const auto first = submit(*queue, [] {});
  std::atomic<bool> ran{false};
  const auto second = submit_host_task(*cpu, [&] { ran = true; }, {first});
  EXPECT_FALSE(ran);
  device.hold(false);
  second->wait(); // polls nothing for the first
  EXPECT_TRUE(ran && first->is_complete());
}

TEST_P(on_request, dependents_before_the_hand_over_are_told) {
  const auto queue = machine().make_queue(0, in_order(GetParam()));
  sycl::queue on_cpu(sycl::cpu_selector_v);
  const auto cpu = sycl::detail::internals::state(on_cpu);
  const auto gate = command::make_manual();
  const auto first = submit(*queue, [] {}, {gate});
  const auto second = submit_host_task(*cpu, [] {}, {first});
  gate->complete();
  second->wait();
  EXPECT_TRUE(first->is_complete());
}

TEST_P(on_request, host_tasks_run_in_order_with_device_work) {
  const auto queue = machine().make_queue(0, in_order(GetParam()));
  std::vector<int> order;
  handle<command> last;
  for (int i = 0; i < 20; ++i) {
    const std::vector<handle<command>> dependencies =
        last && !GetParam() ? std::vector<handle<command>>{last} : std::vector<handle<command>>();
    const auto act = [&, i] { order.push_back(i); };
    last = i % 3 == 1 ? submit_host_task(*queue, act, dependencies) : submit(*queue, act, dependencies);
  }
  queue->wait();
  std::vector<int> expected(20);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(order, expected);
}

TEST_P(on_request, errors_reach_the_handler_however_they_are_found) {
  fake_device& device = machine().native(0);
  int errors = 0;
  const auto count = [&](const sycl::exception_list& list) { errors += static_cast<int>(list.size()); };
  const auto queue = machine().make_queue(0, in_order(GetParam()), count);
  device.failures_on_device = 1;
  submit(*queue, [] {});
  queue->wait();
  queue->throw_asynchronous();
  EXPECT_EQ(errors, 1);
  device.failures_of_enqueue = 1;
  const auto refused = submit(*queue, [] {});
  EXPECT_TRUE(refused->is_complete());
  submit(*queue, [] {})->wait();
  queue->throw_asynchronous();
  EXPECT_EQ(errors, 2);
  device.failures_on_device = 1;
  submit(*queue, [] {});
  device.settle();
  queue->poll();
  queue->throw_asynchronous();
  EXPECT_EQ(errors, 3);
}

TEST_P(on_request, a_dropped_queue_finishes_reports_and_frees) {
  fake_device& device = machine().native(0);
  const auto owned = std::make_shared<std::atomic<int>>(0);
  std::atomic<int> errors{0};
  device.hold(true);
  {
    const auto queue =
        machine().make_queue(0, in_order(GetParam()), [&](const sycl::exception_list&) { ++errors; });
    device.failures_on_device = 1;
    for (int i = 0; i < 5; ++i)
      submit(*queue, [owned] { ++*owned; });
  }
  EXPECT_EQ(owned.use_count(), 6);
  device.hold(false);
  for (int i = 0; i < 2000 && owned.use_count() > 1; ++i)
    std::this_thread::sleep_for(1ms);
  EXPECT_EQ(owned.use_count(), 1);
  EXPECT_EQ(*owned, 4);
  EXPECT_EQ(errors, 1);
}

TEST_P(on_request, commands_of_those_who_never_wait_do_not_pile_up) {
  fake_device& device = machine().native(0);
  const auto queue = machine().make_queue(0, in_order(GetParam()));
  std::size_t most = 0;
  for (int i = 0; i < 2000; ++i) {
    submit(*queue, [] {});
    if (i % 50 == 0)
      device.settle();
    most = std::max(most, device.incomplete());
  }
  EXPECT_LT(most, 400u);
  queue->wait();
  EXPECT_EQ(device.incomplete(), 0u);
}

TEST_P(on_request, idle_means_that_everything_is_complete) {
  std::vector<handle<command>> all;
  for (int i = 0; i < 20; ++i)
    all.push_back(submit(*machine().make_queue(i % 3, in_order(GetParam())), [] {}));
  wait_until_idle();
  for (const auto& some : all)
    EXPECT_TRUE(some->is_complete());
}

TEST_P(on_request, freeing_is_deferred_until_outstanding_work_is_done) {
  fake_device& device = machine().native(0);
  const auto queue = machine().make_queue(0, in_order(GetParam()));
  queue->wait();
  bool was_freed = false;
  run_after_outstanding_work(queue->context(), [&] { was_freed = true; });
  EXPECT_TRUE(was_freed) << "nothing is outstanding";

  device.hold(true);
  submit(*queue, [] {});
  std::atomic<bool> is_freed{false};
  run_after_outstanding_work(queue->context(), [&] { is_freed = true; });
  EXPECT_FALSE(is_freed);
  device.hold(false);
  for (int i = 0; i < 2000 && !is_freed; ++i) // nothing polls
    std::this_thread::sleep_for(1ms);
  EXPECT_TRUE(is_freed);

  submit(*queue, [] {});
  device.settle();
  is_freed = false;
  run_after_outstanding_work(queue->context(), [&] { is_freed = true; });
  EXPECT_TRUE(is_freed) << "done, though it was not polled";
}

TEST_P(on_request, devices_of_one_backend_are_ordered_natively) {
  const auto a = machine().make_queue(0, in_order(GetParam())),
             b = machine().make_queue(1, in_order(GetParam()));
  machine().native(0).hold(true);
  std::atomic<int> step{0};
  const auto first = submit(*a, [&] { EXPECT_EQ(step++, 0); });
  const int notified = machine().native(0).notified;
  const auto second = submit(*b, [&] { EXPECT_EQ(step++, 1); }, {first});
  EXPECT_TRUE(second->is_handed_over());
  EXPECT_EQ(second->wait_list(), std::vector<handle<command>>{first});
  EXPECT_EQ(machine().native(0).notified, notified);
  machine().native(0).hold(false);
  second->wait();
  EXPECT_EQ(step, 2);
  first->wait();
}

TEST_P(on_request, completion_actions_come_before_dependents) {
  const auto a = machine().make_queue(0, in_order(GetParam())),
             b = machine().make_queue(1, in_order(GetParam()));
  std::atomic<bool> acted{false};
  const auto first = make_launch(*a, [] {});
  first->work()->completion_actions.push_back({[](void* data) {
                                                 std::this_thread::sleep_for(2ms);
                                                 *static_cast<std::atomic<bool>*>(data) = true;
                                               },
                                               &acted});
  a->submit(first, {});
  submit(*b, [&] { EXPECT_TRUE(acted); }, {first})->wait();
}

TEST_P(on_request, barriers_and_chains_of_three_devices) {
  std::vector<handle<queue_state>> queues;
  for (std::size_t i = 0; i < 3; ++i)
    queues.push_back(machine().make_queue(i, in_order(GetParam())));
  handle<command> last;
  int count = 0;
  for (int i = 0; i < 300; ++i) {
    std::vector<handle<command>> dependencies;
    if (last)
      dependencies.push_back(last);
    if (i % 7 == 3) {
      last = submit_host_task(*queues[i % 3], [&, i] { EXPECT_EQ(count++, i); }, std::move(dependencies));
    } else {
      last = submit(*queues[i % 3], [&, i] { EXPECT_EQ(count++, i); }, std::move(dependencies));
    }
  }
  last->wait();
  EXPECT_EQ(count, 300);
}

TEST_P(on_request, many_threads_submit_wait_and_poll) {
  std::vector<std::thread> threads;
  std::atomic<int> ran{0};
  const auto shared = machine().make_queue(0, in_order(GetParam()));
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      const auto own = machine().make_queue(static_cast<std::size_t>(t % 3), in_order(!GetParam()));
      handle<command> last;
      for (int i = 0; i < 150; ++i) {
        std::vector<handle<command>> dependencies;
        if (last && i % 3 != 0)
          dependencies.push_back(last);
        queue_state& queue = i % 2 == 0 ? *shared : *own;
        if (i % 11 == 5)
          last = submit_host_task(queue, [&] { ++ran; }, std::move(dependencies));
        else
          last = submit(queue, [&] { ++ran; }, std::move(dependencies));
        if (i % 13 == 0)
          last->wait();
        if (i % 5 == 0)
          queue.is_empty();
      }
    });
  for (std::thread& thread : threads)
    thread.join();
  wait_until_idle();
  EXPECT_EQ(ran, 600);
}

} // namespace
