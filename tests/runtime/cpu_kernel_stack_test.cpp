// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "backends/cpu/cpu_crash_report.hpp"
#include "backends/cpu/cpu_kernel.hpp"
#include "backends/cpu/cpu_kernel_stack.hpp"
#include "backends/cpu/cpu_worker_memory.hpp"
#include "process/thread_stack.hpp"

#include <csignal>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <new>
#include <pthread.h>
#include <stdexcept>
#include <string>

/// \file
/// Stacks for kernels with large frames, with kernels written by hand instead of by the JIT.

namespace falx {
namespace {

constexpr std::size_t MIB = std::size_t{1} << 20;

/// Fills its frame, and notes where it is.
void fill_frame(const cpu::launch_arguments* launch, const std::uint64_t*, const std::uint64_t*,
                cpu::worker_memory*) {
  volatile char frame[6 * MIB];
  for (std::size_t i = 0; i < sizeof(frame); i += 64)
    frame[i] = 1;
  *static_cast<std::uintptr_t*>(const_cast<void*>(launch->function)) =
      reinterpret_cast<std::uintptr_t>(&frame[0]);
}

[[gnu::noinline]] int descend(volatile int* depth) {
  volatile int frame[1000];
  frame[*depth % 1000] = *depth;
  *depth = *depth + 1;
  if (*depth < 0) // never
    return 0;
  return descend(depth) + frame[*depth % 1000];
}

void never_end(const cpu::launch_arguments*, const std::uint64_t*, const std::uint64_t*,
               cpu::worker_memory*) {
  volatile int depth = 0;
  descend(&depth);
}

/// Runs it as cpu_work.cpp does.
std::uintptr_t run(cpu::kernel_function function, const cpu::kernel_properties& properties) {
  std::uintptr_t place = 0;
  cpu::launch_arguments launch{};
  launch.function = &place;
  const std::uint64_t begin[3] = {0, 0, 0}, end[3] = {1, 1, 1};
  cpu::worker_memory& memory = worker_memory_for({0, 0, 0, kernel_stack_bytes(properties)});
  const running_kernel running{"the kernel", &properties};
  const running_kernel_scope scope(running);
  worker_stack().run(function, launch, begin, end, memory, properties.has_unbounded_stack != 0);
  return place;
}

cpu::kernel_properties needing(std::uint64_t stack_bytes, bool is_unbounded = false) {
  return {cpu::CPU_ABI_VERSION, 1, 0, 0, nullptr, stack_bytes, is_unbounded ? 1u : 0u, nullptr};
}

void* in_thread(void* argument) {
  (*static_cast<std::function<void()>*>(argument))();
  return nullptr;
}

/// In a thread with 64 KiB of stack.
void on_small_stack(std::function<void()> function) {
  pthread_attr_t attributes;
  ASSERT_EQ(pthread_attr_init(&attributes), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, 64 << 10), 0);
  pthread_t thread{};
  ASSERT_EQ(pthread_create(&thread, &attributes, &in_thread, &function), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

/// Bytes of memory that the process has.
std::size_t resident_bytes() {
  std::size_t pages = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> pages >> resident;
  return resident * 4096;
}

TEST(cpu_kernel_stack, small_frames_stay_on_the_thread_s_stack) {
  EXPECT_EQ(kernel_stack_bytes(needing(0)), 0u);
  EXPECT_EQ(kernel_stack_bytes(needing(4096)), 0u);
  EXPECT_GE(kernel_stack_bytes(needing(100'000)), 100'000u);
  EXPECT_GE(kernel_stack_bytes(needing(0, true)), 8 * MIB);
}

TEST(cpu_kernel_stack, large_frames_fit_on_threads_with_small_stacks) {
  on_small_stack([] {
    const std::uintptr_t place = run(&fill_frame, needing(6 * MIB + 4096));
    const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    EXPECT_GT(place > here ? place - here : here - place, 6 * MIB);
  });
}

TEST(cpu_kernel_stack, memory_that_cannot_be_had_is_bad_alloc) {
  cpu_kernel_stack stack;
  EXPECT_THROW(stack.reserve(std::size_t{1} << 46), std::bad_alloc);
  EXPECT_THROW(stack.reserve(std::numeric_limits<std::size_t>::max() - 10), std::bad_alloc);
  stack.reserve(MIB);
}

TEST(cpu_kernel_stack, a_large_one_goes_back_when_the_thread_is_idle) {
  run(&fill_frame, needing(100 * MIB));
  const std::size_t before = resident_bytes();
  give_back_worker_memory();
  EXPECT_LT(resident_bytes(), before - 5 * MIB);
  run(&fill_frame, needing(100 * MIB));
  give_back_worker_memory();
}

TEST(cpu_kernel_stack, one_that_overflows_is_reported) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        std::signal(SIGSEGV, SIG_DFL);
        report_crashes();
        run(&never_end, needing(4096, true));
      },
      testing::KilledBySignal(SIGSEGV), "falx: kernel 'the kernel' used up its stack of [0-9]+ bytes");
}

TEST(cpu_kernel_stack, the_thread_s_signal_stack_is_as_before) {
  stack_t before{}, after{};
  sigaltstack(nullptr, &before);
  run(&fill_frame, needing(6 * MIB, true));
  sigaltstack(nullptr, &after);
  EXPECT_EQ(after.ss_sp, before.ss_sp);
  EXPECT_EQ(after.ss_flags, before.ss_flags);
}

TEST(thread_stack, what_needs_more_than_is_left_runs_elsewhere) {
  on_small_stack([] {
    EXPECT_LT(stack_left(), std::size_t{64} << 10);
    std::size_t left = 0;
    run_with_stack(MIB, [&] { left = stack_left(); });
    EXPECT_GT(left, MIB);
    const pthread_t mine = pthread_self();
    run_with_stack(4096, [&] { EXPECT_TRUE(pthread_equal(mine, pthread_self())); });
    EXPECT_THROW(run_with_stack(MIB, [] { throw std::runtime_error("elsewhere"); }), std::runtime_error);
  });
}

} // namespace
} // namespace falx
