// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda_completion_thread.hpp"
#include "cuda_stream.hpp"

#include <array>
#include <cassert>

/// \file
/// Completing the commands of a stream: in their order, by one thread at a time.

namespace falx {
namespace {

constexpr std::size_t BATCH = 16;

/// Has an address of its own in every thread.
thread_local constinit char this_thread = 0;

} // namespace

void cuda_stream::complete(command_view& self) noexcept {
  assert(of(self) == this && !self.is_complete() && "another stream's command");
  const std::unique_ptr<details> kept = std::move(place_of(self).more);
  // At once, but for the text; an error is found by the next call, too.
  if (kept != nullptr && kept->output != nullptr && !context_.is_lost())
    cuda::api().cuEventSynchronize(kept->output->event);
  std::exception_ptr error = kept != nullptr ? kept->error : nullptr;
  if (context_.is_lost() && number_of(self) > done_.load(std::memory_order_acquire)) {
    if (error == nullptr)
      error = context_.loss();
  } else if (kept != nullptr && kept->profile != nullptr) {
    kept->profile->report_times(self);
  }
  self.complete(std::move(error));
}

void cuda_stream::complete_up_to(std::uint64_t number) noexcept {
  assert(number <= issued_.load() && "a command is done that is not issued");
  std::uint64_t done = done_.load(std::memory_order_relaxed);
  while (done < number && !done_.compare_exchange_weak(done, number, std::memory_order_seq_cst))
    ;
  drop_markers();
  // A thread that finds another one at it has raised done_ before, and that one looks at done_ again after it
  // has stopped: one of the two completes the command.
  while (has_complete()) {
    const void* completer = nullptr;
    if (completer_.compare_exchange_strong(completer, &this_thread, std::memory_order_seq_cst)) {
      complete_batch();
    } else if (completer == &this_thread) {
      // An error handler, called by complete_batch, waits for a later command.
      command_view* self = nullptr;
      if (pop_complete({&self, 1}) != 0)
        complete(*self);
    } else {
      return;
    }
  }
}

void cuda_stream::complete_batch() noexcept {
  // What commands kept alive goes last: its destruction may run the program's destructors, which may wait for
  // later commands, here or in other threads.
  std::array<finished_work, BATCH> works;
  std::array<command_view*, BATCH> commands;
  const std::size_t count = pop_complete(commands);
  for (std::size_t i = 0; i < count; ++i) {
    works[i] = commands[i]->finish_work();
    complete(*commands[i]);
  }
  assert(completer_.load() == &this_thread && "commands are completed by one thread at a time");
  completer_.store(nullptr, std::memory_order_seq_cst);
  if (cuda_completion_thread::is_current())
    for (finished_work& work : works)
      if (work.may_run_program_code())
        cuda_completion_thread::instance().dispose(std::move(work));
}

bool cuda_stream::has_complete() noexcept {
  const std::lock_guard lock(list_lock_);
  return first_ != nullptr &&
         (number_of(*first_) <= done_.load(std::memory_order_seq_cst) || context_.is_lost());
}

std::size_t cuda_stream::pop_complete(std::span<command_view*> to) noexcept {
  const std::lock_guard lock(list_lock_);
  const std::uint64_t done = context_.is_lost() ? ~std::uint64_t{0} : done_.load(std::memory_order_seq_cst);
  std::size_t count = 0;
  while (first_ != nullptr && count < to.size() && number_of(*first_) <= done) {
    to[count++] = first_;
    first_ = place_of(*first_).next;
  }
  if (first_ == nullptr)
    last_ = nullptr;
  return count;
}

void cuda_stream::complete_all_lost() noexcept {
  complete_up_to(done_.load(std::memory_order_acquire));
}

void cuda_stream::append_kernel_names(std::vector<std::string>& names) noexcept {
  const std::lock_guard lock(list_lock_);
  for (command_view* self = first_; self != nullptr; self = place_of(*self).next)
    if (number_of(*self) > done_.load(std::memory_order_acquire))
      if (const auto* kernel = std::get_if<kernel_operation>(&self->what()))
        names.emplace_back(kernel->kernel_name);
}

} // namespace falx
