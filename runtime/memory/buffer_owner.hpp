// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "buffer_state.hpp"
#include "falx/buffer.hpp"
#include "falx/handle.hpp"
#include "falx/queue.hpp"
#include "process/process_state.hpp"
#include "process/ref_counted.hpp"

#include <mutex>

namespace falx {

/// What the values of one sycl::buffer share. Its end is the buffer's, for the user: it waits and writes back
/// as SYCL 2020 §4.7.2.4 says. The memory lives on in buffer_state while commands use it. Thread-safe.
class buffer_owner final : public ref_counted {
public:
  explicit buffer_owner(buffer_description&& description);

  buffer_state& state() const noexcept { return *state_; }
  void set_final_destination(final_destination&& destination);
  void set_write_back(bool flag);
  void set_write_back_queue(queue_state& queue);

private:
  ~buffer_owner() override;
  void finish();
  /// False if some cannot become complete before the destructor returns (endless_wait.hpp).
  bool wait_for_users();
  /// Has the contents written to \p destination, or home without one, when all commands are complete.
  void write_back_later(final_destination&& destination);

  /// Made in a child of fork, which has no devices.
  const bool is_of_child_ = is_forked_child();
  const host_data initial_;
  /// Whether the destructor waits for commands although nothing is written.
  const bool blocks_;
  /// The destructor never waits.
  const bool is_asynchronous_;
  /// property::buffer::use_mutex, for what is written in the end.
  std::mutex* const user_mutex_;
  std::mutex settings_mutex_;
  bool writes_back_;
  const handle<buffer_state> state_;
  /// set_write_back(true) was called: contents are written back even if no accessor has written.
  bool is_forced_ = false;
  /// set_final_data was called, so that the user's memory is not where contents go.
  bool has_destination_ = false;
  final_destination destination_;
  /// Keeps the queue in memory, and open for the user who waits for it.
  handle<queue_state> write_back_queue_;
};

} // namespace falx
