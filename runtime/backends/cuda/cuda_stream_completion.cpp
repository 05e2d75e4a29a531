// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "backends/cuda/cuda_stream.hpp"
#include "command_work.hpp"

#include <array>

/// \file
/// Completing the commands of a stream: in their order, by one thread at a time.

namespace falx {
namespace {

constexpr std::size_t BATCH = 16;

/// Has an address of its own in every thread.
thread_local constinit char this_thread = 0;

/// Takes the error that was kept in a command's words.
std::exception_ptr take_error(command& self) noexcept {
  const std::unique_ptr<std::exception_ptr> kept(static_cast<std::exception_ptr*>(self.backend_words[3]));
  self.backend_words[3] = nullptr;
  return kept != nullptr ? *kept : nullptr;
}

} // namespace

void cuda_stream::complete_up_to(std::uint64_t number) noexcept {
  std::uint64_t done = done_.load(std::memory_order_relaxed);
  while (done < number && !done_.compare_exchange_weak(done, number, std::memory_order_seq_cst))
    ;
  drop_markers();
  // Whoever finds another thread at it has raised done_ before, and that thread looks at done_ again after it
  // has stopped: one of the two completes the command.
  while (has_complete()) {
    const void* completer = nullptr;
    if (completer_.compare_exchange_strong(completer, &this_thread, std::memory_order_seq_cst)) {
      complete_batch();
    } else if (completer == &this_thread) {
      // An error handler, called by complete_batch, waits for a later command.
      if (command* const self = pop_complete())
        self->complete(take_error(*self));
    } else {
      return;
    }
  }
}

void cuda_stream::complete_batch() noexcept {
  // What commands kept alive goes last: its destruction may run the program's destructors, which may wait for
  // later commands, here or in other threads.
  std::array<std::unique_ptr<command_work>, BATCH> works;
  for (std::unique_ptr<command_work>& work : works) {
    command* const self = pop_complete();
    if (self == nullptr)
      break;
    std::exception_ptr error = take_error(*self);
    if (context_.is_lost() && number_of(*self) > done_.load(std::memory_order_acquire) && error == nullptr)
      error = context_.loss();
    self->work()->finish();
    work = self->detach_work();
    self->complete(std::move(error));
  }
  completer_.store(nullptr, std::memory_order_seq_cst);
}

bool cuda_stream::has_complete() noexcept {
  const std::lock_guard lock(list_lock_);
  return first_ != nullptr &&
         (number_of(*first_) <= done_.load(std::memory_order_seq_cst) || context_.is_lost());
}

command* cuda_stream::pop_complete() noexcept {
  const std::lock_guard lock(list_lock_);
  if (first_ == nullptr ||
      (number_of(*first_) > done_.load(std::memory_order_seq_cst) && !context_.is_lost()))
    return nullptr;
  command* const self = first_;
  first_ = next(*self);
  if (first_ == nullptr)
    last_ = nullptr;
  return self;
}

void cuda_stream::complete_all_lost() noexcept {
  complete_up_to(done_.load(std::memory_order_acquire));
}

void cuda_stream::append_kernel_names(std::vector<std::string>& names) noexcept {
  const std::lock_guard lock(list_lock_);
  for (command* self = first_; self != nullptr; self = next(*self))
    if (number_of(*self) > done_.load(std::memory_order_acquire))
      if (const auto* kernel = std::get_if<kernel_operation>(&self->work()->what))
        names.emplace_back(kernel->kernel_name);
}

} // namespace falx
