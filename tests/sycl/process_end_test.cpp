// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The end of the process, fork, and waits that cannot end. Each case is a process of its own, with an alarm.
#include <sycl/sycl.hpp>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

constexpr unsigned SECONDS = 60;

/// Before the runtime looks at the environment: each process compiles its kernels.
const bool is_set_up = ::setenv("FALX_CACHE", "off", 1) == 0;

/// In each process of its own.
void begin_process() {
  alarm(is_set_up ? SECONDS : 1);
}

class process_end : public testing::Test {
protected:
  void SetUp() override { testing::FLAGS_gtest_death_test_style = "threadsafe"; }
};
using process_end_death_test = process_end;
using fork_death_test = process_end;
using endless_wait_death_test = process_end;

/// Something that uses a kernel for the first time when it goes.
struct solver {
  sycl::queue queue;
  int* value = sycl::malloc_shared<int>(1, queue);
  void start() {
    queue.single_task([value = value] { *value = 4; }).wait();
  }
  ~solver() {
    try {
      queue.single_task([value = value] { *value += 5; }).wait();
      std::fprintf(stderr, "destroyed with %d\n", *value);
    } catch (const sycl::exception& error) {
      std::fprintf(stderr, "refused: %s\n", error.what());
    }
    sycl::free(value, queue);
  }
};

bool is_cpu() {
  return sycl::device().is_cpu();
}

TEST_F(process_end_death_test, compiles_a_kernel_in_a_static_destructor) {
  EXPECT_EXIT(
      {
        begin_process();
        static solver some; // before LLVM is loaded
        some.start();
        std::exit(0);
      },
      testing::ExitedWithCode(0),
      // The CUDA driver's assembler ends before objects that were made before its first use.
      is_cpu() ? "destroyed with 9" : "destroyed with 9|refused: .*the process is ending");
}

TEST_F(process_end_death_test, loads_the_compiler_in_a_static_destructor) {
  EXPECT_EXIT(
      {
        begin_process();
        static solver some;
        *some.value = 1;
        std::exit(0);
      },
      testing::ExitedWithCode(0), "destroyed with 6");
}

void use_queues_late() try {
  sycl::queue queue;
  sycl::buffer<int> buffer(16);
  queue.submit([&](sycl::handler& handler) {
    sycl::accessor values(buffer, handler, sycl::write_only);
    handler.parallel_for(16, [=](sycl::id<1> i) { values[i] = static_cast<int>(i[0]); });
  });
  queue.submit(
      [&](sycl::handler& handler) { handler.host_task([] { std::fputs("late host task\n", stderr); }); });
  std::fprintf(stderr, "late sum %d\n", sycl::host_accessor(buffer)[15]);
} catch (const sycl::exception& error) {
  std::fprintf(stderr, "refused: %s\n", error.what());
}

TEST_F(process_end_death_test, functions_given_to_atexit_use_queues_made_after_them) {
  EXPECT_EXIT(
      {
        begin_process();
        std::atexit(&use_queues_late);
        sycl::queue().single_task([] {}).wait();
        std::exit(0);
      },
      testing::ExitedWithCode(0),
      std::string("late sum 15(.|\n)*late host task|late host task(.|\n)*late sum 15") +
          (is_cpu() ? "" : "|refused: .*the process is ending"));
}

TEST_F(process_end_death_test, exit_in_a_host_task_ends_the_process) {
  for (const bool in_order : {false, true})
    EXPECT_EXIT(
        {
          begin_process();
          sycl::property_list properties;
          if (in_order)
            properties = {sycl::property::queue::in_order()};
          sycl::queue queue(properties);
          static sycl::buffer<int> buffer(16); // whose destructor waits for the host task
          queue.submit([&](sycl::handler& handler) {
            sycl::accessor values(buffer, handler, sycl::write_only_host_task);
            handler.host_task([=] {
              values[0] = 1;
              std::exit(6);
            });
          });
          queue.submit([&](sycl::handler& handler) {
            sycl::accessor values(buffer, handler);
            handler.parallel_for(16, [=](sycl::id<1> i) { values[i] += 1; });
          });
          queue.wait();
        },
        testing::ExitedWithCode(6), "");
}

TEST_F(process_end_death_test, exit_in_an_async_handler_ends_the_process) {
  for (const bool waits : {false, true})
    EXPECT_EXIT(
        {
          begin_process();
          {
            sycl::queue queue([](sycl::exception_list) { std::exit(7); });
            queue.submit([](sycl::handler& handler) {
              handler.host_task([] {
                usleep(10'000);
                throw 1;
              });
            });
            if (waits)
              queue.wait_and_throw();
          }
          pause(); // the handler is called by the thread that completes the command
        },
        testing::ExitedWithCode(7), "");
}

void keep_busy(sycl::queue& queue, float* values, std::size_t count) {
  queue.parallel_for(count, [=](sycl::id<1> i) {
    float x = values[i];
    for (int step = 0; step < 10000; ++step)
      x = x * 1.0001f + 0.5f / (x + 1.0f);
    values[i] = x;
  });
}

/// What \p child returns, in a child made while a kernel runs; 100 if it does not end.
template <class Function>
int status_of_child(sycl::queue& queue, Function child) {
  constexpr std::size_t count = 1 << 14;
  float* const values = sycl::malloc_shared<float>(count, queue);
  keep_busy(queue, values, count);
  queue.wait();
  keep_busy(queue, values, count);
  const pid_t process = fork();
  if (process == 0) {
    alarm(SECONDS / 2);
    std::exit(child(queue));
  }
  queue.wait();
  int status = 0;
  waitpid(process, &status, 0);
  sycl::free(values, queue);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 100;
}

TEST_F(fork_death_test, a_child_that_uses_nothing_can_exit) {
  static std::unique_ptr<sycl::queue> queue; // destroyed in the child, too
  static std::unique_ptr<sycl::buffer<int>> buffer;
  queue = std::make_unique<sycl::queue>();
  buffer = std::make_unique<sycl::buffer<int>>(16);
  queue->submit([](sycl::handler& handler) {
    sycl::accessor values(*buffer, handler, sycl::write_only);
    handler.parallel_for(16, [=](sycl::id<1> i) { values[i] = 1; });
  });
  for (int run = 0; run < 5; ++run)
    EXPECT_EQ(status_of_child(*queue, [](sycl::queue&) { return 5; }), 5);
}

TEST_F(fork_death_test, a_child_that_launches_gets_an_exception) {
  sycl::queue queue;
  EXPECT_EQ(status_of_child(queue,
                            [](sycl::queue& of_parent) {
                              const auto is_told = [](sycl::queue some) {
                                try {
                                  some.single_task([] {}).wait();
                                } catch (const sycl::exception& error) {
                                  return error.code() == sycl::errc::runtime &&
                                         std::string(error.what()).find("fork") != std::string::npos;
                                }
                                return false;
                              };
                              return is_told(of_parent) && is_told(sycl::queue()) ? 8 : 9;
                            }),
            8);
}

TEST_F(fork_death_test, a_child_made_before_the_first_launch_computes) {
  if (!is_cpu())
    GTEST_SKIP() << "the CUDA driver does not survive fork once it was asked for devices";
  EXPECT_EXIT(
      {
        begin_process();
        if (const pid_t child = fork(); child != 0) {
          int status = 0;
          waitpid(child, &status, 0);
          std::exit(WEXITSTATUS(status));
        }
        sycl::queue queue;
        int* const value = sycl::malloc_shared<int>(1, queue);
        queue.single_task([=] { *value = 11; }).wait();
        std::exit(*value);
      },
      testing::ExitedWithCode(11), "");
}

TEST_F(endless_wait_death_test, a_host_accessor_that_the_waiting_thread_holds_is_named) {
  for (const bool in_order : {false, true})
    EXPECT_EXIT(
        {
          begin_process();
          sycl::property_list properties;
          if (in_order)
            properties = {sycl::property::queue::in_order()};
          sycl::queue queue(properties);
          sycl::buffer<int> buffer(16);
          auto held = std::make_unique<sycl::host_accessor<int>>(buffer);
          queue.submit([&](sycl::handler& handler) {
            sycl::accessor values(buffer, handler, sycl::write_only);
            handler.parallel_for(16, [=](sycl::id<1> i) { values[i] = 1; });
          });
          queue.single_task([] {}); // in order, behind the one that waits
          std::thread another([&] { // which can still end it
            usleep(2'500'000);
            held.reset();
          });
          queue.wait();
          another.join();
          std::exit(0);
        },
        testing::ExitedWithCode(0),
        "falx: warning: .*buffer \\(64 bytes, .*sycl::host_accessor.*out of scope");
}

TEST_F(endless_wait_death_test, a_host_accessor_of_another_thread_is_waited_for_without_a_word) {
  EXPECT_EXIT(
      {
        begin_process();
        sycl::queue queue;
        sycl::buffer<int> buffer(16);
        std::atomic<bool> is_held{false};
        std::thread another([&] {
          const sycl::host_accessor held(buffer);
          is_held = true;
          usleep(1'500'000);
        });
        while (!is_held)
          std::this_thread::yield();
        queue.submit([&](sycl::handler& handler) {
          sycl::accessor values(buffer, handler, sycl::write_only);
          handler.parallel_for(16, [=](sycl::id<1> i) { values[i] = 1; });
        });
        queue.wait();
        another.join();
        std::fputs("done\n", stderr);
        std::exit(0);
      },
      testing::ExitedWithCode(0), "^done\n$");
}

TEST_F(endless_wait_death_test, a_host_task_that_waits_for_itself_is_told) {
  EXPECT_EXIT(
      {
        begin_process();
        sycl::queue queue{sycl::property::queue::in_order()};
        queue.submit([&](sycl::handler& handler) { handler.host_task([&] { queue.wait(); }); });
        queue.wait();
        std::exit(0);
      },
      testing::ExitedWithCode(0), "falx: warning: a host task .* waits for a command that comes after it");
}

} // namespace
