// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "cuda_driver.hpp"

#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

namespace falx {

class cuda_context;
class cuda_form_trial;
class cuda_stream;

/// Events of one kind and context that are unused at present. Thread-safe.
class cuda_event_pool {
public:
  cuda_event_pool(cuda_context& context, unsigned flags) noexcept : context_(context), flags_(flags) {}
  /// With the context current.
  cuda::event_handle take();
  void give(cuda::event_handle event) noexcept;

private:
  cuda_context& context_;
  const unsigned flags_;
  std::mutex mutex_;
  std::vector<cuda::event_handle> unused_;
};

/// The trials of a context's kernels. Thread-safe.
class cuda_form_trials {
public:
  void add(cuda_form_trial& trial);
  void remove(cuda_form_trial& trial) noexcept;

  /// Launches that are timed, and whose time nobody has looked at.
  void expect_one_more() noexcept { expected_.fetch_add(1, std::memory_order_relaxed); }
  void expect_fewer(std::size_t by) noexcept { expected_.fetch_sub(by, std::memory_order_relaxed); }

  /// To be called when a thread has waited for the device.
  void look(cuda_context& context) noexcept {
    if (expected_.load(std::memory_order_relaxed) != 0) [[unlikely]]
      look_at_all(context);
  }

private:
  void look_at_all(cuda_context& context) noexcept;

  std::atomic<std::size_t> expected_{0};
  std::mutex mutex_; // guards what follows, whose own mutexes come after it
  std::vector<cuda_form_trial*> trials_;
};

/// The primary context of one device, which the program's own CUDA code shares. Made when it is first needed:
/// listing devices makes none. Never released, as devices live until the process ends. Thread-safe.
class cuda_context {
public:
  cuda_context(cuda::device_ordinal device, std::string device_name)
      : device_(device), device_name_(std::move(device_name)) {}

  cuda::device_ordinal device() const noexcept { return device_; }
  const std::string& device_name() const noexcept { return device_name_; }

  /// Throws sycl::exception with errc::runtime if the context cannot be made or has been lost, or if this is
  /// a child of fork.
  cuda::context_handle native();
  bool is_made() const noexcept { return native_.load(std::memory_order_acquire) != nullptr; }
  /// Has \p made called once the context is made. At most one.
  void call_when_made(std::function<void()> made);

  /// Throws if \p result is an error: "\p operation failed on device '…': the driver's name and text". \p
  /// kernel is named if it is not null. Errors that no context survives make this one lost.
  void check(cuda::result result, const char* operation, const char* kernel = nullptr) {
    if (result != cuda::result::success) [[unlikely]]
      fail(result, operation, kernel);
  }
  [[noreturn]] void fail(cuda::result result, const char* operation, const char* kernel = nullptr);

  /// After an illegal address, a failed launch and the like the driver refuses everything: then all commands
  /// of the device complete with an error that names the kernels which were running. A failed assertion ends
  /// the program instead.
  bool is_lost() const noexcept { return lost_.load(std::memory_order_acquire); }
  void lose(cuda::result result) noexcept;
  /// What commands that were running fail with. Once lost.
  std::exception_ptr loss() const noexcept { return loss_; }

  /// Streams register with the context, to be notified when it is lost.
  void add(cuda_stream& stream);

  /// Recycled events: those of the first kind have no times, and threads that wait for them sleep.
  cuda_event_pool& events() noexcept { return events_; }
  cuda_event_pool& timed_events() noexcept { return timed_events_; }

  cuda_form_trials& trials() noexcept { return trials_; }

private:
  /// False if another thread was faster.
  bool make();

  const cuda::device_ordinal device_;
  const std::string device_name_;
  std::atomic<cuda::context_handle> native_{nullptr};
  std::atomic<bool> lost_{false};
  /// Guards making and losing, and what follows.
  std::mutex mutex_;
  std::function<void()> when_made_;
  std::string loss_reason_;
  std::exception_ptr loss_;
  std::mutex streams_mutex_;
  std::vector<cuda_stream*> streams_;
  cuda_event_pool events_{*this, cuda::EVENT_DISABLE_TIMING | cuda::EVENT_BLOCKING_SYNC};
  cuda_event_pool timed_events_{*this, 0};
  cuda_form_trials trials_;
};

/// Makes a context the calling thread's current one. A thread that had one of the program's gets it back; one
/// that had none keeps this, so that the next use costs nothing.
class cuda_current_context {
public:
  explicit cuda_current_context(cuda_context& context) : cuda_current_context(context.native()) {}
  explicit cuda_current_context(cuda::context_handle wanted) noexcept {
    cuda::api().cuCtxGetCurrent(&previous_);
    if (previous_ == wanted)
      previous_ = nullptr;
    else
      cuda::api().cuCtxSetCurrent(wanted);
  }
  ~cuda_current_context() {
    if (previous_ != nullptr) [[unlikely]]
      cuda::api().cuCtxSetCurrent(previous_);
  }
  cuda_current_context(const cuda_current_context&) = delete;
  cuda_current_context& operator=(const cuda_current_context&) = delete;

private:
  cuda::context_handle previous_ = nullptr;
};

} // namespace falx
