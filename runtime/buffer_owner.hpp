// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "buffer_state.hpp"
#include "falx/buffer.hpp"
#include "falx/handle.hpp"
#include "ref_counted.hpp"

#include <memory>
#include <mutex>

namespace falx {

/// What the values of one sycl::buffer share. Its end is the buffer's, for the user: it waits and writes back
/// as SYCL 2020 §4.7.2.4 says. The memory lives on in buffer_state while commands use it. Thread-safe.
class buffer_owner final : public ref_counted {
public:
  explicit buffer_owner(buffer_description&& description);

  buffer_state& state() const noexcept { return *state_; }
  void set_final_destination(std::unique_ptr<final_destination> destination);
  void set_write_back(bool flag);

private:
  ~buffer_owner() override;
  void finish();
  void wait_for_users();

  const handle<buffer_state> state_;
  const host_data initial_;
  /// property::buffer::use_mutex.
  std::mutex* const user_mutex_;
  std::mutex settings_mutex_;
  bool writes_back_ = true;
  /// set_write_back(true) was called: contents are written back even if no accessor has written.
  bool is_forced_ = false;
  /// set_final_data was called, so that the user's memory is not where contents go.
  bool has_destination_ = false;
  std::unique_ptr<final_destination> destination_;
};

} // namespace falx
