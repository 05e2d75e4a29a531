// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What may run at the same time does, and work outlives the objects that it was submitted with.
#include <sycl/sycl.hpp>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <gtest/gtest.h>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

/// Two parties that each wait, for at most a while, until the other is there.
struct meeting_point {
  int arrived[2];
  int met[2];
  long patience;
};

/// For kernels and host tasks.
void meet(meeting_point* point, int who) {
  using flag = sycl::atomic_ref<int, sycl::memory_order::acq_rel, sycl::memory_scope::system>;
  flag(point->arrived[who]).store(1, sycl::memory_order::release);
  for (long i = 0; i < point->patience && point->met[who] == 0; ++i)
    point->met[who] = flag(point->arrived[1 - who]).load(sycl::memory_order::acquire);
}

/// One kernel for both parties: loading a second one may have to wait until the device is idle.
struct party {
  meeting_point* point;
  int who;
  void operator()() const { meet(point, who); }
};

class overlap : public testing::Test {
protected:
  void SetUp() override {
    const sycl::device device = queue_.get_device();
    if (device.get_info<sycl::info::device::max_compute_units>() < 2)
      GTEST_SKIP() << "one thread at a time";
    if (!device.has(sycl::aspect::usm_atomic_host_allocations))
      GTEST_SKIP() << "host and device share no atomic operations";
    point_ = sycl::malloc_host<meeting_point>(1, queue_);
    // A GPU asks over the bus each time: some ten seconds in both cases.
    *point_ = {{0, 0}, {0, 0}, device.is_gpu() ? 10'000'000 : 2'000'000'000};
  }
  void TearDown() override {
    if (point_ == nullptr)
      return;
    EXPECT_EQ(point_->met[0], 1);
    EXPECT_EQ(point_->met[1], 1);
    sycl::free(point_, queue_);
  }
  sycl::queue queue_;
  meeting_point* point_ = nullptr;
};

TEST_F(overlap, kernels_of_one_out_of_order_queue) {
  queue_.single_task(party{point_, 0});
  queue_.single_task(party{point_, 1});
  queue_.wait();
}

TEST_F(overlap, kernels_of_two_in_order_queues) {
  sycl::queue first{sycl::property::queue::in_order()};
  sycl::queue second{sycl::property::queue::in_order()};
  first.single_task(party{point_, 0});
  second.single_task(party{point_, 1});
  first.wait();
  second.wait();
}

TEST_F(overlap, readers_of_one_buffer) {
  meeting_point* const point = point_;
  sycl::buffer<int> buffer(1);
  const auto read = [&](int who) {
    queue_.submit([&](sycl::handler& group) {
      sycl::accessor value(buffer, group, sycl::read_only);
      group.single_task([=] { meet(point, who + 0 * value[0]); });
    });
  };
  {
    sycl::host_accessor{buffer}[0] = 0;
  }
  read(0);
  read(1);
  queue_.wait();
}

TEST_F(overlap, writers_of_disjoint_sub_buffers) {
  meeting_point* const point = point_;
  sycl::buffer<int> buffer(128);
  const auto write = [&](int who) {
    sycl::buffer<int> part(buffer, sycl::id<1>(64 * who), sycl::range<1>(64));
    queue_.submit([&](sycl::handler& group) {
      sycl::accessor value(part, group, sycl::write_only);
      group.single_task([=] {
        value[0] = who;
        meet(point, who);
      });
    });
  };
  write(0);
  write(1);
  queue_.wait();
}

TEST_F(overlap, host_task_and_kernel) {
  meeting_point* const point = point_;
  queue_.submit([&](sycl::handler& group) { group.host_task([=] { meet(point, 0); }); });
  queue_.single_task(party{point_, 1});
  queue_.wait();
}

TEST_F(overlap, host_tasks) {
  meeting_point* const point = point_;
  for (int who : {0, 1})
    queue_.submit([&](sycl::handler& group) { group.host_task([=] { meet(point, who); }); });
  queue_.wait();
}

TEST_F(overlap, work_groups_of_one_kernel) {
  meeting_point* const point = point_;
  queue_.parallel_for(sycl::nd_range<1>(2, 1), [=](sycl::nd_item<1> item) {
    meet(point, static_cast<int>(item.get_group_linear_id()));
  });
  queue_.wait();
}

TEST_F(overlap, the_waiting_thread_and_a_kernel) {
  queue_.single_task(party{point_, 0});
  meet(point_, 1);
  queue_.wait();
}

TEST(waiting, on_one_event_from_many_threads) {
  sycl::queue queue;
  for (int round = 0; round < 50; ++round) {
    std::atomic<bool> go{false}, done{false};
    const sycl::event slow = queue.submit([&](sycl::handler& group) {
      group.host_task([&] {
        while (!go)
          std::this_thread::yield();
        done = true;
      });
    });
    std::vector<std::thread> threads;
    for (int t = 0; t < 8; ++t)
      threads.emplace_back([&] {
        sycl::event mine = slow;
        mine.wait();
        EXPECT_TRUE(done);
        EXPECT_EQ(mine.get_info<sycl::info::event::command_execution_status>(),
                  sycl::info::event_command_status::complete);
      });
    if (round % 2 == 0)
      std::this_thread::sleep_for(std::chrono::milliseconds(1)); // long enough for some to sleep
    go = true;
    for (std::thread& thread : threads)
      thread.join();
  }
}

TEST(stress, threads_make_use_and_drop_queues_of_their_own) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 6; ++t)
    threads.emplace_back([t] {
      for (int round = 0; round < 40; ++round) {
        const auto properties = (t + round) % 2 == 0 ? sycl::property_list(sycl::property::queue::in_order())
                                                     : sycl::property_list();
        sycl::queue queue(properties);
        sycl::buffer<int> buffer(1);
        {
          sycl::host_accessor{buffer}[0] = 0;
        }
        for (int i = 0; i < 10; ++i)
          queue.submit([&](sycl::handler& group) {
            sycl::accessor value(buffer, group);
            group.single_task([=] { value[0] += 1; });
          });
        if (round % 4 == 0)
          queue = sycl::queue(); // drops the one that is at work
        EXPECT_EQ(sycl::host_accessor{buffer}[0], 10);
      }
    });
  for (std::thread& thread : threads)
    thread.join();
}

TEST(dropped_queue, finishes_its_work) {
  std::atomic<int> count{0};
  std::vector<sycl::event> events;
  for (int i = 0; i < 20; ++i) {
    sycl::queue queue;
    sycl::event last;
    for (int k = 0; k < 5; ++k)
      last = queue.submit([&](sycl::handler& group) {
        group.depends_on(last);
        group.host_task([&] { ++count; });
      });
    events.push_back(last);
  }
  sycl::event::wait(events);
  EXPECT_EQ(count, 100);
}

TEST(dropped_queue, still_tells_its_handler_of_errors) {
  std::mutex mutex;
  std::string text;
  std::atomic<bool> go{false};
  sycl::event failing;
  {
    sycl::queue queue([&](sycl::exception_list errors) {
      const std::lock_guard lock(mutex);
      for (const std::exception_ptr& error : errors)
        try {
          std::rethrow_exception(error);
        } catch (const std::exception& exception) {
          text += exception.what();
        }
    });
    failing = queue.submit([&](sycl::handler& group) {
      group.host_task([&] {
        while (!go)
          std::this_thread::yield();
        throw std::runtime_error("host task failed");
      });
    });
  }
  go = true;
  failing.wait_and_throw();
  const std::lock_guard lock(mutex);
  EXPECT_EQ(text, "host task failed");
}

/// In a process of its own: what happens at its end.
class process_end : public testing::Test {
protected:
  process_end() { testing::FLAGS_gtest_death_test_style = "threadsafe"; }
};

TEST_F(process_end, waits_for_work_in_flight) {
  EXPECT_EXIT(
      {
        static std::atomic<int> count{0};
        static sycl::queue kept;
        sycl::queue().parallel_for(10'000'000, [](sycl::id<1>) {});
        for (int i = 0; i < 10; ++i)
          kept.submit([&](sycl::handler& group) {
            group.host_task([] {
              std::this_thread::sleep_for(std::chrono::milliseconds(50));
              if (++count == 10)
                std::fprintf(stderr, "all done\n");
            });
          });
        std::fprintf(stderr, "exit\n");
        std::exit(0);
      },
      testing::ExitedWithCode(0), "exit\n(.|\n)*all done");
}

TEST_F(process_end, by_quick_exit_waits_for_nothing) {
  EXPECT_EXIT(
      {
        sycl::queue queue;
        queue.submit([&](sycl::handler& group) {
          group.host_task([] { std::this_thread::sleep_for(std::chrono::hours(1)); });
        });
        std::quick_exit(3);
      },
      testing::ExitedWithCode(3), "");
}

} // namespace
