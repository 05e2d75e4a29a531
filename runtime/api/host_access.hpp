// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/buffer.hpp"
#include "falx/handle.hpp"
#include "memory/buffer_state.hpp"
#include "process/ref_counted.hpp"
#include "scheduler/command.hpp"

#include <thread>
#include <utility>

namespace falx {

/// What a host accessor and its copies hold: a command that users of the buffer wait for, and that completes
/// when the last copy goes (SYCL 2020 §4.7.6.10).
class host_access final : public ref_counted {
public:
  host_access(handle<buffer_state> buffer, handle<command> blocker, void* data) noexcept;

  void* data() const noexcept { return data_; }

  /// False if no host accessor of the process is alive.
  static bool is_any_alive() noexcept;
  /// True if \p waiting waits for a host accessor that the calling thread made.
  static bool is_blocked_by_this_thread(const command& waiting);
  /// Names the buffers of such accessors on standard error, each accessor's once.
  static void warn_once(const command& waiting);

private:
  ~host_access() override;
  /// Calls \p visit for each that the calling thread made and that \p waiting waits for.
  template <class Visitor>
  static void visit_own(const command& waiting, const Visitor& visit);
  void warn() const noexcept;

  const handle<buffer_state> buffer_;
  const handle<command> blocker_;
  void* const data_;
  const std::thread::id maker_ = std::this_thread::get_id();
  /// Guarded by the mutex of the list of all.
  bool has_warned_ = false;
  host_access* next_ = nullptr;
  host_access* previous_ = nullptr;
};

} // namespace falx
