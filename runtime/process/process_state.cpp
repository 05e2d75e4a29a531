// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process_state.hpp"

#include "scheduler/queue_state.hpp"
#include "sycl/exception.hpp"

#include <cstdlib>
#include <mutex>
#include <pthread.h>
#include <string>
#include <utility>

namespace falx {

constinit std::atomic<bool> lacks_threads{false};

namespace {

constinit std::once_flag threads_noted;
constinit std::atomic<bool> has_queues{false};
constinit std::atomic<bool> is_ending{false};
thread_local constinit const command_view* current_command = nullptr;

void wait_for_all_work() noexcept {
  is_ending.store(true, std::memory_order_relaxed);
  // A thread that ends the process in the middle of a command would wait for itself.
  if (!is_forked_child() && program_code::current() == nullptr)
    wait_until_idle();
}

/// Static destructors of the program may have submitted more after exit waited. Those of the libraries below
/// this one, oneTBB among them, are yet to run.
[[gnu::destructor]] void wait_for_late_work() noexcept {
  if (has_queues.load(std::memory_order_relaxed))
    wait_for_all_work();
}

} // namespace

void note_threads() noexcept {
  std::call_once(threads_noted, [] {
    ::pthread_atfork(nullptr, nullptr, [] { lacks_threads.store(true, std::memory_order_relaxed); });
  });
}

void throw_forked_child(const char* function) {
  throw sycl::exception(
      sycl::errc::runtime,
      std::string(function) +
          ": this process is a child of fork, and its parent had launched work before, whose "
          "threads the child lacks; fork before the first launch, or let the child exec");
}

program_code::program_code(const command_view& on_behalf_of) noexcept
    : outer_(std::exchange(current_command, &on_behalf_of)) {}

program_code::~program_code() {
  current_command = outer_;
}

const command_view* program_code::current() noexcept {
  return current_command;
}

void wait_at_process_end() noexcept {
  has_queues.store(true, std::memory_order_relaxed);
  std::atexit(&wait_for_all_work);
}

bool is_process_ending() noexcept {
  return is_ending.load(std::memory_order_relaxed);
}

} // namespace falx
