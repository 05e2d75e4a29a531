// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "buffer_state.hpp"
#include "command.hpp"
#include "falx/buffer.hpp"
#include "falx/handle.hpp"
#include "ref_counted.hpp"

#include <utility>

namespace falx {

/// What a host accessor and its copies hold: a command that users of the buffer wait for, and that completes
/// when the last copy goes (SYCL 2020 §4.7.6.10).
class host_access final : public ref_counted {
public:
  host_access(handle<buffer_state> buffer, handle<command> blocker, void* data) noexcept
      : buffer_(std::move(buffer)), blocker_(std::move(blocker)), data_(data) {}

  void* data() const noexcept { return data_; }

private:
  ~host_access() override { blocker_->complete(); }

  const handle<buffer_state> buffer_;
  const handle<command> blocker_;
  void* const data_;
};

} // namespace falx
