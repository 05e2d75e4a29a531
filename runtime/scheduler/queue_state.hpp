// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "backends/queue_view.hpp"
#include "command.hpp"
#include "devices/context_state.hpp"
#include "devices/device_state.hpp"
#include "falx/handle.hpp"
#include "falx/queue.hpp"
#include "kept_queue.hpp"
#include "multi_device_queue.hpp"
#include "process/ref_counted.hpp"
#include "sycl/exception.hpp"
#include "sycl/property_list.hpp"

#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <utility>
#include <vector>

namespace falx {

struct requirement;

/// What a command holds back that is submitted after it, and what it waits for
/// (sycl_ext_oneapi_enqueue_barrier).
enum class barrier : unsigned char {
  none,
  /// Later commands come after it, and it comes after its dependencies alone.
  behind_dependencies,
  /// It also comes after everything that was submitted before.
  behind_all,
};

/// What is left to do when a command was submitted, without locks.
struct after_submission {
  std::vector<handle<command>> dropped;
  /// Null, or an old command that may be complete.
  handle<command> polled;
  bool polls_all = false;
};

/// What sycl::queue holds. Lives until its last command is complete and removed, however early the user
/// drops it. Thread-safe.
class queue_state final : public ref_counted, public queue_view {
public:
  /// Throws sycl::exception with errc::invalid if \p device is not in \p context.
  queue_state(handle<context_state> context, handle<device_state> device, sycl::async_handler handler,
              const sycl::property_list& properties);
  /// For several devices, the first of which is the head's. Those that are not in \p context are used in
  /// their platform's default one.
  queue_state(handle<context_state> context, std::vector<handle<device_state>> devices,
              sycl::async_handler handler, const sycl::property_list& properties);
  /// A queue like \p head for another device, which belongs to head's family. It has no references of its
  /// own: references are the head's.
  static handle<queue_state> make_branch(queue_state& head, device_state& device);
  /// The queue that the user knows: this one unless it is a branch.
  queue_state& head() noexcept { return head_ != nullptr ? *head_ : *this; }
  /// Null for branches, and for queues that only ever reach one device.
  multi_device_queue* family() const noexcept { return family_.get(); }

  context_state& context() const noexcept { return *context_; }
  device_state& device() const noexcept { return *device_; }
  const sycl::property_list& properties() const noexcept { return properties_; }
  bool is_profiling() const noexcept { return profiling_; }

  /// Gives \p self, after \p dependencies, to the device. On an in-order queue, self also comes after all
  /// that was submitted before; backends run the commands of an in-order queue in the order in which they are
  /// handed over, so that takes no dependency. If it throws, self is complete.
  void submit(const handle<command>& self, std::vector<handle<command>> dependencies) {
    submit(self, std::move(dependencies), {}, barrier::none);
  }
  /// Also takes \p requirements, in the same step: buffers see the commands of one queue in the queue's
  /// order.
  void submit(const handle<command>& self, std::vector<handle<command>> dependencies,
              std::span<const requirement> requirements, barrier kind);

  /// The same for this queue alone, without its family. Part of what there is to do afterwards is in \p
  /// after.
  void submit_here(const handle<command>& self, std::vector<handle<command>> dependencies,
                   std::span<const requirement> requirements, barrier kind, after_submission& after);

  /// AdaptiveCpp's automatic_require: placeholders that every command group requires.
  void require_automatically(std::uint64_t placeholder);
  void stop_requiring(std::uint64_t placeholder) noexcept;
  /// Empty in nearly all queues, and then cheap.
  std::vector<std::uint64_t> automatic_requirements();

  /// Returns when all that was submitted is complete.
  void wait();
  /// In-order: the command submitted last; null before the first. On a queue over several devices, also once
  /// it is complete.
  handle<command> last();
  /// In-order: the next command, or the next wait, comes after \p other.
  void set_external_dependency(handle<command> other);
  bool is_empty();
  /// Has all that was submitted complete in the background, whether or not a thread waits or polls.
  void flush();
  /// Completes what is done and completes on request only. Not to be called with locks held.
  void poll();
  /// The same for \p most commands, until several are not done. Submission does it now and then, but not of
  /// internal commands, as those are submitted with locks held.
  void poll_old(std::size_t most = SIZE_MAX);
  /// Appends commands such that all of this queue is complete when they are, its branches excepted. Polls no
  /// backend.
  void append_unfinished(std::vector<handle<command>>& unfinished, std::size_t most = SIZE_MAX);

  /// Collects an asynchronous error until the handler is called, which happens here if the user has dropped
  /// the queue.
  void report(std::exception_ptr error) noexcept;
  /// Calls the handler with collected errors, if there are any: the queue's own, or the context's, or one
  /// that prints the errors and terminates (SYCL 2020 §4.13.1.2).
  void throw_asynchronous();
  /// The same for this queue and those that its commands came after: what event::wait_and_throw reports.
  void throw_asynchronous_with_upstream();

  /// The user's copies of the queue. When the last goes, errors that were not yet delivered reach the handler
  /// (SYCL 2020 §4.13.1.1); work goes on.
  void open() noexcept;
  /// False, and nothing done, if the user has no copy any more.
  bool open_if_open() noexcept;
  void close() noexcept;
  bool is_closed() noexcept { return head().closed_.load(std::memory_order_seq_cst); }
  /// Drops references to complete commands.
  void drop_complete();
  /// Commands such that all is complete when they are; at most one if the queue is in order.
  std::vector<handle<command>> wait_list();

private:
  queue_state(queue_state* head, handle<context_state> context, handle<device_state> device,
              sycl::async_handler handler, const sycl::property_list& properties);
  ~queue_state() override;
  void submit_in_order(const handle<command>& self, std::vector<handle<command>> dependencies,
                       std::span<const requirement> requirements, after_submission& after);
  void submit_out_of_order(const handle<command>& self, std::vector<handle<command>> dependencies,
                           std::span<const requirement> requirements, barrier kind, after_submission& after);
  /// Commands that may not be complete, branches' included, such that all is complete when they are.
  std::vector<handle<command>> last_commands();
  /// Drops dependencies that order by themselves, and leaves others to the backend where it can.
  void order(command& self, std::vector<handle<command>>& dependencies);
  /// Remembers the queue of \p other, which a command of this queue comes after.
  void note_upstream(const command& other);

  static constexpr std::uint32_t SUBMISSIONS_PER_CHECKPOINT = 128;

  queue_state* const head_;
  const handle<context_state> context_;
  const handle<device_state> device_;
  const sycl::async_handler handler_;
  const sycl::property_list properties_;
  const bool profiling_;
  std::unique_ptr<multi_device_queue> family_;
  std::atomic<std::uint32_t> users_{1};
  std::atomic<bool> closed_{false};

  /// Guards what follows, and is held while a command takes its requirements. In-order: also held while a
  /// command is handed over, which runs no user code. Comes before the mutexes of buffers.
  alignas(64) std::mutex mutex_;
  /// In-order: the command submitted last.
  handle<command> last_;
  /// In-order: last_ was handed over when it was submitted, so nothing need wait for it on the host.
  bool last_is_handed_over_ = false;
  /// Out-of-order: commands that may not be complete, and how many of them make it worth looking.
  std::vector<handle<command>> outstanding_;
  std::size_t drop_at_ = 64;
  /// In-order: a command that is polled after some more submissions, so that complete ones do not pile up
  /// where no thread waits; and how many submissions are left until then.
  handle<command> checkpoint_;
  std::uint32_t until_checkpoint_ = SUBMISSIONS_PER_CHECKPOINT;
  /// Out-of-order: the barrier submitted last, which later commands wait for.
  handle<command> barrier_;

  /// In-order: what set_external_dependency was given, until it is used.
  handle<command> take_external_dependency();
  std::atomic<bool> has_external_dependency_{false};
  handle<command> external_dependency_;

  std::atomic<bool> requires_automatically_{false};
  std::mutex requirements_mutex_;
  std::vector<std::uint64_t> automatic_requirements_;

  std::mutex errors_mutex_;
  std::vector<std::exception_ptr> errors_;
  /// Other queues that commands of this one came after; nothing once the queue is closed.
  std::vector<kept_queue> upstream_;

  /// Links of the list of all queues.
  friend class queue_registry;
  queue_state* next_queue_ = nullptr;
  queue_state* previous_queue_ = nullptr;
};

inline queue_state* command::queue() const noexcept {
  return static_cast<queue_state*>(queue_);
}
inline void command::move_to(queue_state& place) noexcept {
  place.head().retain_reference();
  queue()->head().release_reference();
  queue_ = &place;
}

/// Returns when no queue of the process has outstanding work.
void wait_until_idle() noexcept;
/// Has all outstanding work complete in the background.
void complete_all_in_background() noexcept;

/// Returns when everything that devices have been handed, and that completes on request, is complete. What it
/// keeps in memory is freed by the thread that completed it, a moment later. Never waits for the host. Not to
/// be called with locks held. False if there was nothing and no action of run_after_outstanding_work is left.
bool finish_device_work() noexcept;

/// Calls \p allocate, which allocates memory of a device; if memory runs out, finishes device work and tries
/// again for as long as it takes those who completed the work to free its memory. Not to be called with locks
/// held.
template <class Function>
auto allocate_patiently(const Function& allocate) {
  constexpr int ATTEMPTS = 20; // the later ones a millisecond apart
  for (int attempt = 1;; ++attempt) {
    try {
      return allocate();
    } catch (const sycl::exception& error) {
      if (error.code() != sycl::errc::memory_allocation || attempt == ATTEMPTS)
        throw;
    }
    if (attempt > 1)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    else if (!finish_device_work())
      return allocate(); // what was left to free may have been freed just now
  }
}

/// Calls \p action when everything that is outstanding now on queues of \p context is complete: at once if
/// nothing is, else later from any thread. Never waits.
void run_after_outstanding_work(const context_state& context, std::function<void()> action);

} // namespace falx
