// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fixture.hpp"

#include <algorithm>
#include <atomic>
#include <deque>
#include <future>
#include <numeric>

/// \file
/// The CUDA backend on the fake driver: commands in streams, their order and their completion.

namespace {

using namespace falx;
using namespace falx::test;
using namespace std::chrono_literals;

class cuda_queue : public testing::TestWithParam<bool> {
protected:
  ~cuda_queue() override { EXPECT_EQ(fake_driver().take_complaints(), ""); }
};
INSTANTIATE_TEST_SUITE_P(in_both_orders, cuda_queue, testing::Bool());

TEST_P(cuda_queue, a_launch_runs_and_completes_when_it_is_waited_for) {
  const auto queue = make_gpu_queue(0, in_order(GetParam()));
  bool ran = false;
  const auto self = submit(*queue, [&] { ran = true; });
  fake_driver().settle();
  EXPECT_FALSE(self->is_complete()) << "it was not polled";
  self->wait();
  EXPECT_TRUE(ran);
  EXPECT_TRUE(self->is_complete());
  EXPECT_EQ(text_of_error(*self), "");
}

TEST_P(cuda_queue, a_launch_and_a_wait_need_no_event_and_no_thread) {
  const auto queue = make_gpu_queue(0, in_order(GetParam()));
  submit(*queue, [] {})->wait();
  const int records = fake_driver().calls("cuEventRecord"), launches = fake_driver().calls("cuLaunchKernel");
  for (int i = 0; i < 100; ++i)
    submit(*queue, [] {})->wait();
  // A wait that takes long, because the machine is busy, sleeps with an event.
  EXPECT_LT(fake_driver().calls("cuEventRecord"), records + 50);
  EXPECT_EQ(fake_driver().calls("cuLaunchKernel"), launches + 100);
}

TEST_P(cuda_queue, a_launch_that_prints_is_synchronized_with) {
  const auto queue = make_gpu_queue(0, in_order(GetParam()));
  const auto kernel = queue->device().backend().load(
      {.path = {}, .bytes = {'F', 'A', 'K', 'E', ' ', 'v', 'p', 'r', 'i', 'n', 't', 'f'}},
      {"call", "call(pretty)"});
  const auto self = make_launch(*queue, [](const fake_cuda::launch&) { return fake_cuda::result::success; });
  std::get<kernel_operation>(self->work()->what).kernel = kernel.get();
  const int before = fake_driver().calls("cuEventSynchronize");
  queue->submit(self, {});
  self->wait();
  EXPECT_GT(fake_driver().calls("cuEventSynchronize"), before);
}

TEST_P(cuda_queue, dependencies_are_kept) {
  const auto queue = make_gpu_queue(0, in_order(GetParam()));
  std::vector<int> order;
  handle<command> last;
  for (int i = 0; i < 500; ++i)
    last = submit(
        *queue, [&order, i] { order.push_back(i); },
        last ? std::vector<handle<command>>{last} : std::vector<handle<command>>{});
  queue->wait();
  std::vector<int> expected(500);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(order, expected);
}

TEST_P(cuda_queue, polling_completes_what_is_done) {
  const auto queue = make_gpu_queue(0, in_order(GetParam()));
  fake_driver().hold(true);
  const auto self = submit(*queue, [] {});
  EXPECT_FALSE(self->poll());
  fake_driver().hold(false);
  fake_driver().settle();
  EXPECT_TRUE(self->poll());
}

TEST_P(cuda_queue, commands_complete_in_background_when_host_tasks_come_after) {
  const auto queue = make_gpu_queue(0, in_order(GetParam()));
  std::atomic<bool> ran{false};
  const auto first = submit(*queue, [] { std::this_thread::sleep_for(2ms); });
  submit(*queue, host_operation{[&] { ran = true; }}, {first});
  while (!ran)
    std::this_thread::yield();
  EXPECT_TRUE(first->is_complete());
  queue->wait();
}

TEST_P(cuda_queue, waiting_for_one_command_does_not_wait_for_what_others_keep_submitting) {
  const auto queue = make_gpu_queue(0, in_order(GetParam()));
  std::atomic<bool> stop{false};
  std::thread submitter([&] {
    std::deque<handle<command>> in_flight;
    while (!stop) {
      in_flight.push_back(submit(*queue, [] { std::this_thread::sleep_for(100us); }));
      if (in_flight.size() < 20)
        continue;
      in_flight.front()->wait();
      in_flight.pop_front();
    }
  });
  for (int i = 0; i < 20; ++i)
    submit(*queue, [] {})->wait();
  stop = true;
  submitter.join();
  queue->wait();
}

TEST_P(cuda_queue, launches_that_nobody_waits_for_do_not_pile_up) {
  const auto queue = make_gpu_queue(0, in_order(GetParam()));
  std::vector<handle<command>> kept;
  // Out of order the queue looks when twice as many are outstanding as when it looked last, and what it has
  // the driver record then it sees the next time.
  for (int i = 0; i < 25000; ++i) {
    kept.push_back(submit(*queue, [] {}));
    if (i % 1000 == 999)
      fake_driver().settle();
  }
  const auto complete = std::ranges::count_if(kept, [](const auto& self) { return self->is_complete(); });
  EXPECT_GE(complete, 5000);
  queue->wait();
}

TEST_P(cuda_queue, threads_wait_for_each_others_commands) {
  const auto queue = make_gpu_queue(0, in_order(GetParam()));
  std::atomic<int> ran{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 300; ++i) {
        const auto self = submit(*queue, [&] { ++ran; });
        if (i % 3 == 0)
          self->wait();
        else if (i % 3 == 1)
          self->complete_in_background();
      }
    });
  for (std::thread& thread : threads)
    thread.join();
  queue->wait();
  EXPECT_EQ(ran, 1200);
}

TEST_P(cuda_queue, queues_on_two_devices_order_natively) {
  const auto a = make_gpu_queue(0, in_order(GetParam())), b = make_gpu_queue(1, in_order(GetParam()));
  std::vector<int> order;
  fake_driver().hold(true);
  handle<command> last = submit(*a, [&] { order.push_back(0); });
  for (int i = 1; i < 50; ++i) {
    last = submit(i % 2 == 0 ? *a : *b, [&order, i] { order.push_back(i); }, {last});
    EXPECT_TRUE(last->is_handed_over()) << "nothing waits on the host";
  }
  fake_driver().hold(false);
  last->wait();
  a->wait();
  b->wait();
  EXPECT_TRUE(std::ranges::is_sorted(order));
  EXPECT_EQ(order.size(), 50u);
}

TEST(cuda_in_order, what_comes_after_a_host_task_is_handed_over_when_that_ends) {
  const handle<queue_state> queue = make_gpu_queue(0, in_order());
  std::promise<void> ending;
  submit(*queue, host_operation{[&] { ending.get_future().wait(); }});
  std::vector<int> order;
  std::vector<handle<command>> launches;
  for (int i = 0; i < 3; ++i)
    launches.push_back(submit(*queue, [&order, i] { order.push_back(i); }));
  EXPECT_FALSE(launches.front()->is_handed_over());
  fake_driver().hold(true);
  ending.set_value();
  while (!launches.back()->is_handed_over()) // though none of them can end
    std::this_thread::yield();
  EXPECT_FALSE(launches.front()->poll());
  fake_driver().hold(false);
  queue->wait();
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2}));
}

TEST(cuda_out_of_order, independent_commands_run_at_the_same_time) {
  const auto queue = make_gpu_queue();
  std::atomic<int> running{0};
  const auto meet = [&] {
    ++running;
    const auto until = std::chrono::steady_clock::now() + 10s;
    while (running < 2 && std::chrono::steady_clock::now() < until)
      std::this_thread::yield();
    EXPECT_EQ(running, 2);
  };
  submit(*queue, meet);
  submit(*queue, meet);
  queue->wait();
}

TEST(cuda_out_of_order, a_chain_needs_no_events) {
  const auto queue = make_gpu_queue();
  handle<command> last = submit(*queue, [] {});
  last->wait();
  const int waits = fake_driver().calls("cuStreamWaitEvent");
  fake_driver().hold(true);
  last = submit(*queue, [] {});
  for (int i = 0; i < 50; ++i)
    last = submit(*queue, [] {}, {last});
  EXPECT_EQ(fake_driver().calls("cuStreamWaitEvent"), waits);
  fake_driver().hold(false);
  last->wait();
}

TEST(cuda_out_of_order, many_come_after_many) {
  const auto queue = make_gpu_queue();
  std::atomic<int> first{0}, second{0};
  std::vector<handle<command>> before;
  for (int i = 0; i < 40; ++i)
    before.push_back(submit(*queue, [&] {
      std::this_thread::sleep_for(50us);
      ++first;
    }));
  for (int i = 0; i < 10; ++i)
    submit(
        *queue,
        [&] {
          EXPECT_EQ(first, 40);
          ++second;
        },
        before);
  queue->wait();
  EXPECT_EQ(second, 10);
}

TEST(cuda_queue_end, a_dropped_queue_finishes_its_work) {
  std::atomic<int> ran{0};
  for (int i = 0; i < 50; ++i) {
    const auto queue = make_gpu_queue(0, in_order(i % 2 == 0));
    submit(*queue, [&] { ++ran; });
  }
  wait_until_idle();
  EXPECT_EQ(ran, 50);
}

TEST(cuda_queue_end, what_a_command_keeps_alive_may_wait_for_later_commands) {
  const auto queue = make_gpu_queue(0, in_order());
  struct waiter {
    handle<command> later;
    std::atomic<bool>* done;
    ~waiter() {
      if (later) {
        later->wait();
        *done = true;
      }
    }
  };
  std::atomic<bool> done{false};
  auto owned = std::make_shared<waiter>();
  waiter& kept = *owned;
  kept.done = &done;
  fake_driver().hold(true);
  queue->submit(make_launch(*queue, [owned = std::move(owned)](
                                        const fake_cuda::launch&) { return fake_cuda::result::success; }),
                {});
  const handle<command> later = submit(*queue, [] {});
  kept.later = later;
  fake_driver().hold(false);
  later->wait();
  while (!done)
    std::this_thread::yield();
  EXPECT_TRUE(done);
}

} // namespace
