// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/interop.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace falx {

class queue_state;
struct host_task_callable;

/// Where the buffer of one accessor of the command group is.
struct interop_memory {
  std::uint64_t requirement = 0;
  void* data = nullptr;
};

/// What the callable of a host task or a native command may request of its sycl::interop_handle. Used by the
/// thread that runs the callable.
class interop_scope {
public:
  /// \p given is the native queue of a native command; 0 in a host task, which gets the queue's own.
  interop_scope(queue_state& queue, const std::vector<interop_memory>& memory, native_handle given) noexcept
      : queue_(queue), memory_(memory), given_(given) {}
  interop_scope(const interop_scope&) = delete;
  interop_scope& operator=(const interop_scope&) = delete;

  queue_state& queue() const noexcept { return queue_; }
  native_handle native_queue() const;
  void* memory_of(std::uint64_t requirement) const;

  /// Waits for what a host task has put on the native queue, if it requested that: later commands need not be
  /// on the same one. Throws what the work failed with.
  void wait_for_native_work() const;

private:
  queue_state& queue_;
  const std::vector<interop_memory>& memory_;
  const native_handle given_;
  mutable bool has_taken_queue_ = false;
};

/// The callable of a host task or a native command, with what its interop_handle needs. Owns it.
class interop_callable {
public:
  explicit interop_callable(const host_task_callable& callable) noexcept;
  ~interop_callable();
  interop_callable(const interop_callable&) = delete;
  interop_callable& operator=(const interop_callable&) = delete;

  void* object() const noexcept { return object_; }

  /// Before it runs, once all is known: the queue, and where the buffers of the command group's accessors
  /// are.
  void set_scope(queue_state& queue, std::vector<interop_memory> memory) noexcept {
    queue_ = &queue;
    memory_ = std::move(memory);
  }

  void run_host_task() const;
  void run_native_command(native_handle native_queue) const;

private:
  void call(const interop_scope& scope) const;

  void* object_;
  void (*invoke_)(void* object, void* interop_handle);
  void (*destroy_)(void* object);
  /// Not counted: the command keeps the queue in memory while it runs.
  queue_state* queue_ = nullptr;
  std::vector<interop_memory> memory_;
};

} // namespace falx
