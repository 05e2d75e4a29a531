// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiling a kernel leaves the program's process as it was; what Falx itself handles is said in
// docs/processes.md.
#include <sycl/sycl.hpp>

#include <csignal>
#include <cstdlib>
#include <gtest/gtest.h>
#include <signal.h>

namespace {

/// Before the runtime looks at the environment: kernels are compiled, and faults are not reported.
const bool is_set_up = setenv("FALX_CACHE", "off", 1) == 0 && setenv("FALX_CRASH_REPORT", "off", 1) == 0;

TEST(process_state, signals_are_the_program_s_after_a_kernel_was_compiled) {
  ASSERT_TRUE(is_set_up);
  constexpr int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGABRT, SIGINT, SIGTERM, SIGHUP, SIGPIPE};
  struct sigaction before[8] = {};
  for (int i = 0; i < 8; ++i)
    ASSERT_EQ(sigaction(signals[i], nullptr, &before[i]), 0);
  stack_t stack_before{}, stack_after{};
  ASSERT_EQ(sigaltstack(nullptr, &stack_before), 0);

  sycl::queue queue;
  int* const value = sycl::malloc_shared<int>(1, queue);
  queue.single_task([=] { *value = 4; }).wait();
  EXPECT_EQ(*value, 4);
  sycl::free(value, queue);

  for (int i = 0; i < 8; ++i) {
    struct sigaction after = {};
    ASSERT_EQ(sigaction(signals[i], nullptr, &after), 0);
    EXPECT_EQ(after.sa_handler, before[i].sa_handler) << "signal " << signals[i];
  }
  ASSERT_EQ(sigaltstack(nullptr, &stack_after), 0);
  EXPECT_EQ(stack_after.ss_sp, stack_before.ss_sp);
}

TEST(process_state, faults_in_kernels_are_the_program_s_if_their_report_is_off) {
  if (!sycl::device().is_cpu())
    GTEST_SKIP() << "GPUs report faults themselves";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        std::signal(SIGSEGV, SIG_DFL);
        int* const nothing = nullptr;
        sycl::queue().single_task([=] { *nothing = 1; }).wait();
      },
      testing::KilledBySignal(SIGSEGV), "^$");
}

} // namespace
