// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "api/host_access.hpp"
#include "fake_backend.hpp"
#include "falx/buffer.hpp"
#include "memory/buffer_owner.hpp"
#include "memory/buffer_state.hpp"
#include "scheduler/command_group.hpp"
#include "sycl/queue.hpp"

#include <array>
#include <numeric>
#include <random>

/// \file
/// Buffers over several devices, and the program's own CPU, whose work runs later and in any order that
/// dependencies allow.

namespace {

using namespace falx;
using namespace falx::test;

constexpr std::size_t WIDTH = 16, HEIGHT = 12;

access_request request_for(std::size_t x, std::size_t y, std::size_t width, std::size_t height, bool reads,
                           bool writes, bool discards) {
  access_request r;
  r.reads = reads;
  r.writes = writes;
  r.discards = discards;
  r.buffer_range = {WIDTH, HEIGHT, 1};
  r.offset = {x, y, 0};
  r.range = {width, height, 1};
  r.element_size = sizeof(int);
  return r;
}

handle<buffer_owner> make_test_buffer(host_data initial, void* data) {
  buffer_description description;
  description.range = {WIDTH, HEIGHT, 1};
  description.element_size = sizeof(int);
  description.element_alignment = alignof(int);
  description.initial = initial;
  description.data = data;
  return make_buffer(std::move(description));
}

/// Submits a kernel on \p queue that is given the address of the buffer there.
handle<command> submit(queue_state& queue, buffer_state& buffer, const access_request& request,
                       std::function<void(int*)> body) {
  std::vector<requirement> requirements;
  requirements.push_back({handle<buffer_state>::share(&buffer), request, 1, nullptr});
  int* data = nullptr;
  {
    const std::lock_guard lock(buffer.mutex());
    data = static_cast<int*>(buffer.address(buffer.memory_of(queue.device(), false)));
  }
  handle<command> self;
  if (queue.device().description().is_gpu) {
    self = make_launch(queue, [body = std::move(body), data] { body(data); });
  } else {
    self = command::make_for(queue);
    self->work()->what = host_operation{[body = std::move(body), data] { body(data); }};
  }
  self->work()->buffers.push_back(handle<buffer_state>::share(&buffer));
  queue.submit(self, {}, requirements, falx::barrier::none);
  return self;
}

struct setting {
  bool in_order, copies_directly, orders_natively;
};

class many_devices : public testing::TestWithParam<int> {
protected:
  setting how() const { return {(GetParam() & 1) != 0, (GetParam() & 2) != 0, (GetParam() & 4) != 0}; }
  fake_backend& machine() const {
    static std::array<fake_backend*, 4> made{};
    fake_backend*& mine = made[static_cast<std::size_t>(GetParam() >> 1)];
    if (mine == nullptr)
      mine = &fake_backend::make(
          3, {.orders_natively = how().orders_natively, .copies_directly = how().copies_directly});
    return *mine;
  }
  std::vector<handle<queue_state>> queues() const {
    const sycl::property_list properties =
        how().in_order ? sycl::property_list(sycl::property::queue::in_order()) : sycl::property_list();
    std::vector<handle<queue_state>> result;
    for (std::size_t i = 0; i < 3; ++i)
      result.push_back(machine().make_queue(i, properties));
    sycl::queue cpu(sycl::cpu_selector_v, properties);
    result.push_back(sycl::detail::internals::state(cpu));
    return result;
  }
  std::size_t bytes_copied() const {
    return machine().native(0).bytes_copied + machine().native(1).bytes_copied +
           machine().native(2).bytes_copied;
  }
};
INSTANTIATE_TEST_SUITE_P(all_kinds, many_devices, testing::Range(0, 8));

TEST_P(many_devices, random_accesses_see_what_a_plain_array_would_hold) {
  std::minstd_rand random(static_cast<unsigned>(GetParam()) + 1);
  const auto below = [&](std::size_t limit) { return random() % limit; };
  std::atomic<int> wrong{0};
  for (int round = 0; round < 12; ++round) {
    std::vector<int> host(WIDTH * HEIGHT), expected;
    std::iota(host.begin(), host.end(), 1000 * round);
    expected = host;
    {
      const auto all = queues();
      const auto owner = make_test_buffer(host_data::writable, host.data());
      for (int step = 0; step < 60; ++step) {
        const std::size_t x = below(WIDTH), y = below(HEIGHT);
        const std::size_t width = 1 + below(WIDTH - x), height = 1 + below(HEIGHT - y);
        const bool writes = below(2) == 0, discards = writes && below(3) == 0;
        const access_request request = request_for(x, y, width, height, !discards, writes, discards);
        std::vector<int> before, after;
        for (std::size_t row = y; row < y + height; ++row)
          for (std::size_t column = x; column < x + width; ++column) {
            int& element = expected[row * WIDTH + column];
            before.push_back(element);
            if (writes)
              element = static_cast<int>(random());
            after.push_back(element);
          }
        const auto act = [=, &wrong](int* data) {
          std::size_t i = 0;
          for (std::size_t row = y; row < y + height; ++row)
            for (std::size_t column = x; column < x + width; ++column, ++i) {
              int& element = data[row * WIDTH + column];
              if (!discards && element != before[i])
                ++wrong;
              if (writes)
                element = after[i];
            }
        };
        if (const std::size_t where = below(9); where < 8) {
          submit(*all[where % 4], owner->state(), request, act);
        } else {
          const auto access = begin_host_access(owner->state(), request);
          act(static_cast<int*>(data_of(*access)));
        }
      }
    }
    ASSERT_EQ(wrong, 0) << "in round " << round;
    ASSERT_EQ(host, expected) << "in round " << round;
  }
  wait_until_idle();
  EXPECT_TRUE(machine().has_freed_everything());
}

TEST_P(many_devices, data_goes_from_device_to_device_at_most_once_over_the_host) {
  const auto all = queues();
  const auto owner = make_test_buffer(host_data::none, nullptr);
  const access_request write = request_for(0, 0, WIDTH, HEIGHT, false, true, true);
  const access_request read = request_for(0, 0, WIDTH, HEIGHT, true, false, false);
  submit(*all[0], owner->state(), write, [](int* data) { std::iota(data, data + WIDTH * HEIGHT, 7); });
  const std::size_t before = bytes_copied();
  std::atomic<int> seen{0};
  const auto look = [&](const int* data) {
    if (data[WIDTH * HEIGHT - 1] == 7 + static_cast<int>(WIDTH * HEIGHT) - 1)
      ++seen;
  };
  submit(*all[1], owner->state(), read, look);
  submit(*all[2], owner->state(), read, look);
  submit(*all[1], owner->state(), read, look)->wait();
  for (const auto& queue : all)
    queue->wait();
  EXPECT_EQ(seen, 3);
  EXPECT_EQ(bytes_copied() - before, (how().copies_directly ? 2 : 3) * WIDTH * HEIGHT * sizeof(int));
}

TEST_P(many_devices, buffers_that_nobody_waits_for_are_freed) {
  {
    const auto all = queues();
    for (int i = 0; i < 300; ++i) {
      const auto owner = make_test_buffer(host_data::none, nullptr);
      submit(*all[static_cast<std::size_t>(i % 3)], owner->state(),
             request_for(0, 0, WIDTH, HEIGHT, false, true, true), [i](int* data) { data[0] = i; });
      submit(*all[static_cast<std::size_t>((i + 1) % 3)], owner->state(),
             request_for(0, 0, WIDTH, HEIGHT, true, true, false), [i](int* data) { EXPECT_EQ(data[0], i); });
    }
  }
  wait_until_idle();
  EXPECT_TRUE(machine().has_freed_everything());
}

TEST(device_memory, runs_out_without_harm_to_the_buffer) {
  fake_backend& machine = fake_backend::make(2);
  const auto queue = machine.make_queue(1);
  std::vector<int> host(WIDTH * HEIGHT, 3);
  {
    const auto owner = make_test_buffer(host_data::writable, host.data());
    const access_request both = request_for(0, 0, WIDTH, HEIGHT, true, true, false);
    submit(*machine.make_queue(0), owner->state(), both, [](int* data) { data[5] = 4; });
    machine.native(1).memory_limit = 100;
    command_group group(*queue);
    try {
      require(group, owner->state(), both);
      ADD_FAILURE() << "there is not so much memory";
    } catch (const sycl::exception& error) {
      EXPECT_EQ(error.code(), sycl::errc::memory_allocation);
    }
    EXPECT_EQ(static_cast<int*>(data_of(*begin_host_access(owner->state(), both)))[5], 4);
    machine.native(1).memory_limit = ~std::size_t{0};
    submit(*queue, owner->state(), both, [](int* data) { data[6] = data[5] + 1; });
  }
  EXPECT_EQ(host[5], 4);
  EXPECT_EQ(host[6], 5);
}

TEST(device_memory, of_buffers_that_are_gone_is_waited_for_when_memory_runs_out) {
  fake_backend& machine = fake_backend::make(1);
  fake_device& device = machine.native(0);
  device.memory_limit = 3 * WIDTH * HEIGHT * sizeof(int);
  const auto queue = machine.make_queue(0);
  for (int i = 0; i < 50; ++i) {
    const auto owner = make_test_buffer(host_data::none, nullptr);
    command_group group(*queue);
    require(group, owner->state(), request_for(0, 0, WIDTH, HEIGHT, false, true, true));
    group.submit();
  }
  queue->wait();
}

} // namespace
