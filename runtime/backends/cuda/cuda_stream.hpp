// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "backends/command_view.hpp"
#include "cuda_context.hpp"
#include "cuda_profile.hpp"
#include "process/spinning.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace falx {

/// For a few instructions at a time.
class cuda_spin_lock {
public:
  void lock() noexcept {
    while (locked_.exchange(true, std::memory_order_acquire))
      while (locked_.load(std::memory_order_relaxed))
        spin_pause();
  }
  void unlock() noexcept { locked_.store(false, std::memory_order_release); }

private:
  std::atomic<bool> locked_{false};
};

/// An event that is reached when the commands of a stream up to one are done.
struct cuda_marker {
  cuda_marker(cuda_context& the_context, std::uint64_t the_number)
      : context(the_context), event(the_context.events().take()), number(the_number) {}
  ~cuda_marker() { context.events().give(event); }
  cuda_marker(const cuda_marker&) = delete;
  cuda_marker& operator=(const cuda_marker&) = delete;

  cuda_context& context;
  const cuda::event_handle event;
  const std::uint64_t number;
};

/// One native stream and the commands in it, numbered from 1 in their order. Learning that a command is done
/// costs a call of the driver, so commands complete when polled by a waiting thread, or the completion
/// thread for those that other work on the host waits for. Lives until the process ends; queues borrow it.
class cuda_stream {
public:
  cuda_stream(cuda_context& context, cuda_clock& clock, queue_priority priority);
  /// For a stream of the program's, which destroys it when its queues are gone.
  cuda_stream(cuda_context& context, cuda_clock& clock, cuda::stream_handle native);

  cuda_context& context() const noexcept { return context_; }
  cuda::stream_handle native() const noexcept { return native_; }

  /// Appends \p self, natively ordered after \p others: \p issue gives its work to the native stream. What it
  /// throws is what the command fails with, when those before it are complete. The context is current.
  template <class Issue>
  void submit(command_view& self, std::span<const handle<command_view>> others, const Issue& issue) {
    const std::lock_guard lock(submission_);
    const std::uint64_t number = announce(self);
    try {
      order_after(others);
      if (self.is_profiled()) [[unlikely]]
        begin_profile(self);
      issue();
      if (std::exchange(prints_, false)) [[unlikely]]
        mark_output(self, number);
      if (self.is_profiled()) [[unlikely]]
        end_profile(self);
    } catch (...) {
      details_of(self).error = std::current_exception();
    }
    const bool is_unseen = self.is_handed_over();
    if (is_unseen)
      self.set_completes_on_request_unseen();
    append(self, number);
    if (!is_unseen)
      self.set_completes_on_request();
  }

  /// To be called while work is issued that prints. The driver writes the text when a host thread
  /// synchronizes with the device, which finding out that a command is done is not.
  void expect_output() noexcept { prints_ = true; }

  /// To be called while work is issued. The stream is serial if, since a kernel was launched that waited for
  /// everything before it, there were only commands in it that end after everything before them, and no waits
  /// for other streams: a kernel that waits for the one before waits for all then.
  void set_serial(bool is_serial) noexcept { is_serial_ = is_serial; }
  /// What \p launch returns if the stream is serial, which it stays meanwhile; nothing if it is not.
  template <class Launch>
  std::optional<cuda::result> launch_if_serial(const Launch& launch) {
    if (!is_serial_)
      return std::nullopt;
    const std::lock_guard lock(sharing_lock_);
    return is_shared_with_program_ ? std::nullopt : std::optional(launch());
  }
  /// The program may put work of its own into the native stream, at any time, and keep it beyond the queue.
  void share_with_program() noexcept {
    const std::lock_guard lock(sharing_lock_);
    is_shared_with_program_ = true;
  }
  bool is_shared_with_program() noexcept {
    const std::lock_guard lock(sharing_lock_);
    return is_shared_with_program_;
  }

  /// The program's default stream, which is another one in every context.
  bool is_default_stream() const noexcept {
    return reinterpret_cast<std::uintptr_t>(native_) <= cuda::LEGACY_STREAM;
  }

  /// The stream that a command was given to; null if none was.
  static cuda_stream* of(const command_view& self) noexcept {
    const place* const its = self.slot().find<place>();
    return its != nullptr ? its->stream : nullptr;
  }
  /// Nothing was submitted after \p self.
  bool is_last(const command_view& self) const noexcept {
    return of(self) == this && number_of(self) == issued_.load(std::memory_order_acquire);
  }
  /// All that was submitted is known to be done.
  bool is_known_idle() const noexcept {
    return done_.load(std::memory_order_acquire) == issued_.load(std::memory_order_acquire);
  }

  /// What backend_device has under these names.
  void wait_for(command_view& self) noexcept;
  void poll(command_view& self) noexcept;
  void notify(command_view& self) noexcept;

  /// For the completion thread: completes what is done. True if commands that complete in the background are
  /// still running.
  bool complete_watched() noexcept;
  /// Completes all commands with the context's loss.
  void complete_all_lost() noexcept;
  /// Kernels that are not known to be done.
  void append_kernel_names(std::vector<std::string>& names) noexcept;

private:
  /// What few commands have.
  struct details {
    std::exception_ptr error;
    std::unique_ptr<cuda_profile> profile;
    /// Reached when all is printed.
    std::shared_ptr<cuda_marker> output;
  };
  /// What a stream keeps in a command's slot.
  struct place {
    explicit place(cuda_stream& the_stream, std::uint64_t the_number) noexcept
        : stream(&the_stream), number(the_number) {}
    cuda_stream* stream;
    std::uint64_t number;
    /// The next command of the stream.
    command_view* next = nullptr;
    std::unique_ptr<details> more;
  };
  static place& place_of(command_view& self) noexcept { return self.slot().get<place>(); }
  static std::uint64_t number_of(const command_view& self) noexcept {
    return self.slot().get<place>().number;
  }
  /// Made if need be.
  static details& details_of(command_view& self);

  std::uint64_t announce(command_view& self) noexcept;
  void append(command_view& self, std::uint64_t number) noexcept;
  void order_after(std::span<const handle<command_view>> others);
  void begin_profile(command_view& self);
  void end_profile(command_view& self);
  void mark_output(command_view& self, std::uint64_t number);
  void complete(command_view& self) noexcept;
  /// A marker at command \p number or as soon after it as there is one.
  std::shared_ptr<cuda_marker> marker_for(std::uint64_t number);
  std::shared_ptr<cuda_marker> existing_marker(std::uint64_t number);
  void drop_markers() noexcept;

  /// Queries the driver once whether command \p number is done, and completes what is.
  void advance(std::uint64_t number) noexcept;
  void wait_until_complete(command_view& self) noexcept;
  /// Completes what markers show to be done, the oldest first, and gives the first that does not.
  std::shared_ptr<cuda_marker> advance_markers() noexcept;
  bool is_far_from_markers(std::uint64_t number);
  void block_until(std::uint64_t number) noexcept;
  /// What the driver said about all commands up to \p number.
  void take_answer(cuda::result answer, std::uint64_t number) noexcept;

  /// Completes the commands up to \p number in their order, unless another thread is at it, which then goes
  /// on with these.
  void complete_up_to(std::uint64_t number) noexcept;
  bool has_complete() noexcept;
  /// Takes complete commands from the list, \p to.size() at most, and says how many.
  std::size_t pop_complete(std::span<command_view*> to) noexcept;
  void complete_batch() noexcept;

  cuda_context& context_;
  cuda_clock& clock_;
  cuda::stream_handle native_ = nullptr;

  /// Held while a command is given to the native stream: numbers are the native order.
  std::mutex submission_;
  bool prints_ = false;
  bool is_serial_ = false;
  cuda_spin_lock sharing_lock_;
  bool is_shared_with_program_ = false;
  std::atomic<std::uint64_t> issued_{0};

  alignas(64) std::atomic<std::uint64_t> done_{0};
  /// The thread that completes commands, as the address of a variable of its own.
  std::atomic<const void*> completer_{nullptr};
  /// The largest number that the completion thread is to complete.
  std::atomic<std::uint64_t> watched_{0};

  alignas(64) cuda_spin_lock list_lock_;
  command_view* first_ = nullptr;
  command_view* last_ = nullptr;

  /// Guards markers_, which are in the order of their numbers, and are few.
  std::mutex markers_mutex_;
  std::vector<std::shared_ptr<cuda_marker>> markers_;
  /// Whether there are any, for callers that poll often.
  std::atomic<bool> has_markers_{false};
};

} // namespace falx
