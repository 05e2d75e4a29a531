// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scheduler/command.hpp"

#include "scheduler/command_work.hpp"
#include "scheduler/queue_state.hpp"
#include "sycl/queue.hpp"

#include <gtest/gtest.h>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

namespace falx {
namespace {

handle<queue_state> make_queue(const sycl::property_list& properties = {}) {
  sycl::queue queue(sycl::cpu_selector_v, sycl::async_handler([](sycl::exception_list) {}), properties);
  return sycl::detail::internals::state(queue);
}

TEST(command, manual_command_runs_until_completed) {
  const handle<command> manual = command::make_manual();
  EXPECT_EQ(manual->current_status(), command::status::running);
  manual->complete();
  EXPECT_TRUE(manual->is_complete());
  manual->wait();
}

TEST(command, waits_for_its_dependency) {
  const handle<queue_state> queue = make_queue();
  const handle<command> gate = command::make_manual();
  const handle<command> self = command::make_for(*queue);
  queue->submit(self, {gate});
  EXPECT_EQ(self->current_status(), command::status::waiting);
  ASSERT_EQ(self->wait_list().size(), 1u);
  EXPECT_EQ(self->wait_list().front(), gate);
  gate->complete();
  self->wait();
  EXPECT_TRUE(self->wait_list().empty());
}

TEST(command, complete_dependencies_do_not_delay) {
  const handle<queue_state> queue = make_queue();
  const handle<command> done = command::make_manual();
  done->complete();
  const handle<command> self = command::make_for(*queue);
  queue->submit(self, {done, done});
  self->wait();
}

TEST(command, wakes_a_sleeping_thread) {
  const handle<command> manual = command::make_manual();
  std::thread sleeper([&] { manual->wait(); });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  manual->complete();
  sleeper.join();
}

TEST(command, long_chains_do_not_overflow_the_stack) {
  const handle<queue_state> queue = make_queue();
  const handle<command> gate = command::make_manual();
  handle<command> last = gate;
  for (int i = 0; i < 200'000; ++i) {
    handle<command> next = command::make_for(*queue);
    queue->submit(next, {last});
    last = std::move(next);
  }
  gate->complete();
  last->wait();
}

TEST(command, many_dependents_are_all_released) {
  const handle<queue_state> queue = make_queue();
  const handle<command> gates[] = {command::make_manual(), command::make_manual(), command::make_manual()};
  std::vector<handle<command>> waiting;
  for (int i = 0; i < 1000; ++i) {
    waiting.push_back(command::make_for(*queue));
    queue->submit(waiting.back(), {gates[0], gates[1], gates[2]});
  }
  std::vector<std::thread> threads;
  for (const handle<command>& gate : gates)
    threads.emplace_back([&gate] { gate->complete(); });
  for (const handle<command>& some : waiting)
    some->wait();
  for (std::thread& thread : threads)
    thread.join();
}

TEST(command, keeps_what_it_failed_with_and_releases_dependents) {
  const handle<queue_state> queue = make_queue();
  const handle<command> failing = command::make_for(*queue);
  failing->work()->what = host_operation{[] { throw std::runtime_error("expected"); }};
  const handle<command> after = command::make_for(*queue);
  queue->submit(failing, {});
  queue->submit(after, {failing});
  after->wait();
  ASSERT_NE(failing->error(), nullptr);
  EXPECT_THROW(std::rethrow_exception(failing->error()), std::runtime_error);
  EXPECT_EQ(after->error(), nullptr);
}

TEST(command, completion_actions_come_before_completion) {
  const handle<queue_state> queue = make_queue();
  const handle<command> self = command::make_for(*queue);
  struct seen {
    command* self;
    bool was_complete = true;
  } observation{self.get()};
  self->work()->completion_actions.push_back({[](void* data) {
                                                auto& mine = *static_cast<seen*>(data);
                                                mine.was_complete = mine.self->is_complete();
                                              },
                                              &observation});
  queue->submit(self, {});
  self->wait();
  EXPECT_FALSE(observation.was_complete);
}

TEST(command, what_was_never_submitted_frees_what_it_owns) {
  const handle<queue_state> queue = make_queue();
  auto owned = std::make_shared<int>(1);
  {
    const handle<command> self = command::make_for(*queue);
    self->work()->what = host_operation{[owned] {}};
    EXPECT_EQ(owned.use_count(), 2);
  }
  EXPECT_EQ(owned.use_count(), 1);
}

TEST(command, profiled_times_are_in_order) {
  const handle<queue_state> queue = make_queue(sycl::property::queue::enable_profiling());
  const handle<command> self = command::make_for(*queue);
  self->work()->what = host_operation{[] { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }};
  queue->submit(self, {});
  self->wait();
  EXPECT_GT(self->submit_time(), 0u);
  EXPECT_LE(self->submit_time(), self->start_time());
  EXPECT_GE(self->end_time() - self->start_time(), 900'000u);
}

} // namespace
} // namespace falx
