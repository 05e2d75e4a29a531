// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "command.hpp"
#include "falx/handle.hpp"
#include "kernels/image_registry.hpp"

#include <atomic>
#include <cstddef>
#include <exception>
#include <vector>

namespace falx {

class buffer_state;

/// What a command does, and what must live until it has done it. Freed when the command completes, however
/// long events refer to it.
struct command_work final : device_work {
  command_work() = default;
  command_work(const command_work&) = delete;
  command_work& operator=(const command_work&) = delete;
  ~command_work();

  /// Copies a function object; the copy lives as long as the work. \p extra bytes behind it belong to it.
  void* store_function(const void* function, std::size_t size, std::size_t alignment, std::size_t extra = 0);

  /// Runs the completion actions, once.
  void finish() noexcept;

  /// Notes what the work failed with while it runs; the first one counts. Thread-safe.
  void fail(std::exception_ptr error) noexcept;
  /// What was noted; null if nothing was. For the thread that completes the command.
  const std::exception_ptr& failure() const noexcept { return failure_; }

  struct completion_action {
    void (*action)(void*);
    void* data;
  };

  kernel_use image;
  std::vector<completion_action> completion_actions;
  /// Called like completion actions, but after dependents have been released.
  std::vector<completion_action> kept_alive;
  std::vector<handle<buffer_state>> buffers;

  static void* operator new(std::size_t size);
  static void operator delete(void* memory, std::size_t size) noexcept;

private:
  std::atomic<bool> failed_{false};
  std::exception_ptr failure_;
  static constexpr std::size_t INLINE_BYTES = 256;
  alignas(64) unsigned char inline_function_[INLINE_BYTES];
  void* large_function_ = nullptr;
  std::size_t large_alignment_ = 0;
};

inline command_work* command::work() noexcept {
  return static_cast<command_work*>(work_);
}

} // namespace falx
