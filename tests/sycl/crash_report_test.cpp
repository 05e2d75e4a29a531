// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a program says that dies in a kernel on the CPU (docs/debugging.md).
#include <sycl/sycl.hpp>

#include <csetjmp>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace {

class crash_report : public testing::Test {
protected:
  void SetUp() override {
    if (!sycl::device().is_cpu())
      GTEST_SKIP() << "GPUs report faults themselves";
    // Each death is in a process of its own, started anew, as the runtime does not survive fork.
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    // The tests' own: AddressSanitizer's handlers are told apart below.
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE})
      std::signal(signal, SIG_DFL);
  }
};

/// A page that may be read only.
int* read_only_page() {
  return static_cast<int*>(mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
}

class writes_to;
void write_to(int* pointer) {
  sycl::queue queue;
  queue.parallel_for<writes_to>(1, [=](sycl::id<1>) { *pointer = 1; }).wait();
}
constexpr int LINE_OF_WRITE = __LINE__ - 2;

TEST_F(crash_report, names_the_kernel_and_the_address) {
  EXPECT_EXIT(write_to(reinterpret_cast<int*>(std::uintptr_t{0x7ead0})), testing::KilledBySignal(SIGSEGV),
              "falx: kernel '[^']*writes_to[^']*' wrote to address 0x7ead0, which is not mapped .SIGSEGV.");
  EXPECT_EXIT(write_to(nullptr), testing::KilledBySignal(SIGSEGV), "a null pointer");
  EXPECT_EXIT(write_to(read_only_page()), testing::KilledBySignal(SIGSEGV), "which is protected .SIGSEGV.");
  EXPECT_EXIT(write_to(reinterpret_cast<int*>(std::uintptr_t{0xdead} << 48)),
              testing::KilledBySignal(SIGSEGV), "writes_to.*an address that no memory can have");
}

TEST_F(crash_report, names_the_line_of_the_program) {
  const std::string line = "crash_report_test.cpp:" + std::to_string(LINE_OF_WRITE);
  EXPECT_EXIT(write_to(nullptr), testing::KilledBySignal(SIGSEGV), line);
}

/// Each work-item walks on its own, which does not pay as vectors: the kernel runs them one by one.
class walks;
void walk_and_write(int* pointer) {
  sycl::queue queue;
  int* list = sycl::malloc_shared<int>(64, queue);
  for (int i = 0; i < 64; ++i)
    list[i] = i;
  auto walk = [=](sycl::id<1> i) {
    int at = static_cast<int>(i[0]);
    for (int n = 0; n < 100 && at != 7; ++n)
      at = list[(at * 31 + n * list[(at + n) & 63]) & 63];
    if (at == 7)
      *pointer = 1;
  };
  queue.parallel_for<walks>(64, walk).wait();
}
constexpr int LINE_OF_WALKS_WRITE = __LINE__ - 4;

TEST_F(crash_report, names_the_line_also_where_work_items_run_one_by_one) {
  const std::string line = "crash_report_test.cpp:" + std::to_string(LINE_OF_WALKS_WRITE);
  EXPECT_EXIT(walk_and_write(nullptr), testing::KilledBySignal(SIGSEGV), line);
}

class reads_accessor;
void read_accessor(std::size_t at) {
  sycl::queue queue;
  sycl::buffer<int> buffer(64);
  queue.submit([&](sycl::handler& group) {
    sycl::accessor accessor(buffer, group, sycl::read_write, sycl::no_init);
    group.parallel_for<reads_accessor>(64, [=](sycl::id<1> i) {
      accessor[i] = 1;
      accessor[i] = accessor[at + i[0]];
    });
  });
  queue.wait();
}
constexpr int LINE_OF_READ = __LINE__ - 5;

TEST_F(crash_report, names_the_programs_line_and_not_that_of_the_headers) {
  const std::string line =
      "reads_accessor.* read address .*crash_report_test.cpp:" + std::to_string(LINE_OF_READ);
  EXPECT_EXIT(read_accessor(~std::size_t{0} << 38), testing::KilledBySignal(SIGSEGV), line);
}

class copies;
TEST_F(crash_report, names_the_kernel_also_in_libraries_that_it_calls) {
  const auto copy = [](char* to, std::size_t bytes) {
    sycl::queue queue;
    char* const from = sycl::malloc_shared<char>(4096, queue);
    queue.single_task<copies>([=] { std::memcpy(to, from, bytes); }).wait();
  };
  EXPECT_EXIT(copy(nullptr, 4096), testing::KilledBySignal(SIGSEGV), "copies.* wrote to address 0x");
}

class divides;
TEST_F(crash_report, reports_division_by_zero) {
  const auto divide = [](int by) {
    sycl::queue queue;
    int* const number = sycl::malloc_shared<int>(2, queue);
    number[0] = 7;
    number[1] = by;
    queue.single_task<divides>([=] { number[0] /= number[1]; }).wait();
  };
  EXPECT_EXIT(divide(0), testing::KilledBySignal(SIGFPE), "divides.* divided an integer by zero.*SIGFPE");
}

void say(const char* text) {
  std::fputs(text, stderr);
}

/// Has the program handle SIGSEGV from before it uses kernels on.
void handle_faults(void (*handler)(int, siginfo_t*, void*), int flags) {
  struct sigaction action{};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | flags;
  sigaction(SIGSEGV, &action, nullptr);
}

TEST_F(crash_report, the_programs_handler_is_called_after_the_report) {
  EXPECT_EXIT(
      {
        handle_faults(
            [](int, siginfo_t* info, void*) {
              say(info->si_addr == nullptr ? "the program's own" : "something else");
              _exit(3);
            },
            0);
        write_to(nullptr);
      },
      testing::ExitedWithCode(3), "falx: kernel.*writes_to.*\n.*the program's own");
  EXPECT_EXIT(
      {
        std::signal(SIGSEGV, [](int) { _exit(4); });
        write_to(nullptr);
      },
      testing::ExitedWithCode(4), "falx: kernel");
}

TEST_F(crash_report, a_handler_that_the_program_installs_later_is_called_without_a_report) {
  EXPECT_EXIT(
      {
        write_to(sycl::malloc_shared<int>(1, sycl::queue()));
        handle_faults([](int, siginfo_t*, void*) { _exit(5); }, 0);
        read_accessor(0); // compiled or loaded behind it
        write_to(nullptr);
      },
      testing::ExitedWithCode(5), "^$");
}

TEST_F(crash_report, a_handler_of_the_programs_that_is_to_be_called_once_is) {
  EXPECT_EXIT(
      {
        handle_faults([](int, siginfo_t*, void*) { say("once\n"); }, SA_RESETHAND | SA_NODEFER);
        write_to(nullptr);
      },
      testing::KilledBySignal(SIGSEGV), "once");
}

// Some programs protect memory to see who writes to it.
TEST_F(crash_report, a_handler_of_the_programs_may_resolve_faults) {
  EXPECT_EXIT(
      {
        handle_faults(
            [](int, siginfo_t* info, void*) { mprotect(info->si_addr, 4096, PROT_READ | PROT_WRITE); }, 0);
        for (int round = 0; round < 3; ++round) {
          int* const page = read_only_page();
          write_to(page);
          if (*page != 1)
            _exit(1);
          say("round ");
        }
        _exit(0);
      },
      testing::ExitedWithCode(0), "^falx: kernel[^\n]*\nround round round $");
}

TEST_F(crash_report, faults_outside_of_kernels_are_the_programs) {
  EXPECT_EXIT(
      {
        write_to(sycl::malloc_shared<int>(1, sycl::queue()));
        raise(SIGSEGV);
      },
      testing::KilledBySignal(SIGSEGV), "^$");
  EXPECT_EXIT(
      {
        static sigjmp_buf back;
        handle_faults([](int, siginfo_t*, void*) { siglongjmp(back, 1); }, 0);
        write_to(sycl::malloc_shared<int>(1, sycl::queue()));
        if (sigsetjmp(back, 1) == 0)
          *reinterpret_cast<volatile int*>(std::uintptr_t{8}) = 1;
        say("back");
        _exit(0);
      },
      testing::ExitedWithCode(0), "^back$");
}

} // namespace
