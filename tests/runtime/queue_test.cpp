// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../shared_memory.hpp"
#include "../thrown_code.hpp"
#include "sycl/queue.hpp"

#include "sycl/interop_handle.hpp"
#include "sycl/usm.hpp"

#include <atomic>
#include <cstring>
#include <gtest/gtest.h>
#include <stdexcept>
#include <thread>
#include <vector>

namespace {

sycl::queue make_queue(const sycl::property_list& properties = {}) {
  return sycl::queue(properties);
}

const sycl::property_list in_order = {sycl::property::queue::in_order()};

TEST(queue, in_order_host_tasks_run_one_after_the_other) {
  sycl::queue queue = make_queue(in_order);
  std::vector<int> order;
  for (int i = 0; i < 100; ++i)
    queue.submit([&](sycl::handler& group) { group.host_task([&order, i] { order.push_back(i); }); });
  queue.wait();
  ASSERT_EQ(order.size(), 100u);
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(order[i], i);
}

TEST(queue, in_order_mixes_host_tasks_and_copies) {
  sycl::queue queue = make_queue(in_order);
  int from = 0, to = 0;
  for (int i = 1; i <= 200; ++i) {
    queue.submit([&](sycl::handler& group) { group.host_task([&] { ++from; }); });
    queue.memcpy(&to, &from, sizeof(int));
  }
  queue.wait();
  EXPECT_EQ(to, 200);
}

TEST(queue, in_order_waits_for_events_of_other_queues) {
  sycl::queue first = make_queue(), second = make_queue(in_order);
  std::atomic<bool> go{false};
  int value = 0, last = 0;
  const shared<int> copy(second, 1);
  const sycl::event slow = first.submit([&](sycl::handler& group) {
    group.host_task([&] {
      while (!go)
        std::this_thread::yield();
      value = 7;
    });
  });
  second.memcpy(copy.get(), &value, sizeof(int), slow);
  second.memcpy(&last, copy.get(), sizeof(int));
  second.fill(copy.get(), 9, 1);
  go = true;
  second.wait();
  EXPECT_EQ(last, 7);
  EXPECT_EQ(copy[0], 9);
}

TEST(queue, host_task_may_wait_for_another_queue) {
  sycl::queue outer = make_queue(), inner = make_queue(in_order);
  int value = 0;
  std::vector<sycl::event> events;
  for (int i = 0; i < 20; ++i)
    events.push_back(outer.submit([&](sycl::handler& group) {
      group.host_task(
          [&] { inner.submit([&](sycl::handler& nested) { nested.host_task([&] { ++value; }); }).wait(); });
    }));
  sycl::event::wait(events);
  EXPECT_EQ(value, 20);
}

TEST(queue, copies_and_fills_large_memory) {
  sycl::queue queue = make_queue();
  constexpr std::size_t count = 3'000'001;
  struct three {
    unsigned char bytes[3];
  };
  const shared<three> source(queue, count), destination(queue, count);
  queue.fill(source.get(), three{{1, 2, 3}}, count).wait();
  const sycl::event copied = queue.copy(source.get(), destination.get(), count);
  copied.get_info<sycl::info::event::command_execution_status>();
  queue.wait();
  for (std::size_t i = 0; i < count; ++i)
    ASSERT_EQ(std::memcmp(destination[i].bytes, "\1\2\3", 3), 0) << i;
  queue.memset(destination.get(), 0x5a, count * 3).wait();
  EXPECT_EQ(destination[count - 1].bytes[2], 0x5a);
}

TEST(queue, refuses_null_pointers_by_name) {
  sycl::queue queue = make_queue();
  int value = 0;
  try {
    queue.memcpy(&value, nullptr, sizeof(int));
    FAIL();
  } catch (const sycl::exception& exception) {
    EXPECT_EQ(exception.code(), sycl::errc::invalid);
    EXPECT_NE(std::string(exception.what()).find("src"), std::string::npos);
  }
  EXPECT_EQ(thrown_code([&] { queue.fill<int>(nullptr, 1, 1); }), sycl::errc::invalid);
  queue.memcpy(nullptr, nullptr, 0).wait();
}

TEST(queue, refuses_a_second_command) {
  sycl::queue queue = make_queue();
  const shared<int> value(queue, 1);
  EXPECT_EQ(thrown_code([&] {
              queue.submit([&](sycl::handler& group) {
                group.memset(value.get(), 0, sizeof(int));
                group.memset(value.get(), 1, sizeof(int));
              });
            }),
            sycl::errc::invalid);
}

TEST(queue, hands_errors_to_its_handler_once) {
  int calls = 0, errors = 0;
  sycl::queue queue([&](sycl::exception_list list) {
    ++calls;
    errors += static_cast<int>(list.size());
  });
  for (int i = 0; i < 3; ++i)
    queue.submit([](sycl::handler& group) { group.host_task([] { throw std::runtime_error("expected"); }); });
  queue.wait();
  EXPECT_EQ(calls, 0);
  queue.wait_and_throw();
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(errors, 3);
  queue.throw_asynchronous();
  EXPECT_EQ(calls, 1);
}

TEST(queue, reports_errors_when_it_is_destroyed) {
  std::atomic<int> errors{0};
  {
    sycl::queue queue([&](sycl::exception_list list) { errors += static_cast<int>(list.size()); });
    queue.submit([](sycl::handler& group) { group.host_task([] { throw 1; }); }).wait();
  }
  EXPECT_EQ(errors, 1);
}

TEST(queue, uses_the_handler_of_its_context) {
  int errors = 0;
  const sycl::device device;
  const sycl::context context(device,
                              [&](sycl::exception_list list) { errors += static_cast<int>(list.size()); });
  sycl::queue queue(context, device);
  queue.submit([](sycl::handler& group) { group.host_task([] { throw 1; }); }).wait_and_throw();
  EXPECT_EQ(errors, 1);
}

TEST(queue, terminates_without_a_handler) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(
      {
        sycl::queue queue = make_queue();
        queue.submit(
            [](sycl::handler& group) { group.host_task([] { throw std::runtime_error("boom 42"); }); });
        queue.wait_and_throw();
      },
      "boom 42");
}

TEST(queue, work_goes_on_after_its_destruction) {
  std::atomic<bool> go{false};
  std::atomic<int> done{0};
  sycl::event last;
  for (const bool ordered : {true, false}) {
    sycl::queue queue = make_queue(ordered ? in_order : sycl::property_list());
    queue.submit([&](sycl::handler& group) {
      group.host_task([&] {
        while (!go)
          std::this_thread::yield();
        ++done;
      });
    });
    last = queue.submit([&](sycl::handler& group) { group.host_task([&] { ++done; }); });
  }
  go = true;
  while (done != 4)
    std::this_thread::yield();
  last.wait();
}

TEST(queue, barrier_waits_for_all_and_holds_all_back) {
  sycl::queue queue = make_queue();
  std::atomic<int> before{0}, after{0};
  std::atomic<bool> go{false};
  for (int i = 0; i < 8; ++i)
    queue.submit([&](sycl::handler& group) {
      group.host_task([&] {
        while (!go)
          std::this_thread::yield();
        ++before;
      });
    });
  const sycl::event barrier = queue.ext_oneapi_submit_barrier();
  int seen = -1;
  queue.submit([&](sycl::handler& group) {
    group.host_task([&] {
      seen = before;
      ++after;
    });
  });
  EXPECT_FALSE(queue.ext_oneapi_empty());
  go = true;
  sycl::event(barrier).wait();
  EXPECT_EQ(before, 8);
  queue.wait();
  EXPECT_EQ(seen, 8);
  EXPECT_TRUE(queue.ext_oneapi_empty());
}

TEST(queue, many_threads_may_submit) {
  for (const bool ordered : {true, false}) {
    sycl::queue queue = make_queue(ordered ? in_order : sycl::property_list());
    const shared<int> cells(queue, 4);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&, t] {
        sycl::event last;
        for (int i = 1; i <= 2000; ++i) {
          last = queue.fill(cells.get() + t, i, 1, last);
          if (i % 100 == 0)
            last.wait();
        }
      });
    for (std::thread& thread : threads)
      thread.join();
    queue.wait();
    for (int t = 0; t < 4; ++t)
      EXPECT_EQ(cells[t], 2000);
  }
}

TEST(queue, knows_what_it_was_made_of) {
  sycl::queue queue = make_queue(in_order);
  EXPECT_TRUE(queue.is_in_order());
  EXPECT_TRUE(queue.has_property<sycl::property::queue::in_order>());
  EXPECT_FALSE(queue.has_property<sycl::property::queue::enable_profiling>());
  EXPECT_EQ(queue.get_info<sycl::info::queue::device>(), queue.get_device());
  EXPECT_EQ(queue.get_info<sycl::info::queue::context>(), queue.get_context());
  const sycl::queue copy = queue;
  EXPECT_EQ(copy, queue);
  EXPECT_EQ(std::hash<sycl::queue>()(copy), std::hash<sycl::queue>()(queue));
  EXPECT_NE(copy, make_queue(in_order));
}

TEST(queue, needs_a_device_of_its_context) {
  const sycl::device device;
  const sycl::context context(device);
  EXPECT_EQ(thrown_code([&] { sycl::queue(context, [](const sycl::device&) { return -1; }); }),
            sycl::errc::runtime);
}

TEST(event, default_constructed_is_complete) {
  sycl::event event, other;
  EXPECT_EQ(event.get_info<sycl::info::event::command_execution_status>(),
            sycl::info::event_command_status::complete);
  EXPECT_NE(event, other);
  event.wait_and_throw();
}

TEST(event, refuses_times_without_profiling) {
  sycl::queue queue = make_queue();
  const shared<int> value(queue, 1);
  sycl::event event = queue.memset(value.get(), 1, sizeof(int));
  EXPECT_EQ(thrown_code([&] { event.get_profiling_info<sycl::info::event_profiling::command_end>(); }),
            sycl::errc::invalid);
  event.wait(); // value is gone afterwards
}

TEST(handler, secondary_queue_takes_what_the_first_refuses) {
  sycl::queue first = make_queue(), second = make_queue();
  int calls = 0;
  const shared<int> value(second, 1);
  first
      .submit(
          [&](sycl::handler& group) {
            if (++calls == 1)
              group.memset(nullptr, 0, 4);
            else
              group.memset(value.get(), 1, 4);
          },
          second)
      .wait();
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(value[0], 0x01010101);
}

TEST(host_task, may_take_an_interop_handle) {
  sycl::queue queue = make_queue();
  bool same = false;
  queue.submit([&](sycl::handler& group) {
    group.host_task([&](sycl::interop_handle handle) { same = handle.get_backend() == queue.get_backend(); });
  });
  queue.wait();
  EXPECT_TRUE(same);
}

} // namespace
