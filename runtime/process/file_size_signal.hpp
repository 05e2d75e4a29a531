// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <csignal>

namespace falx {

/// While there is one, this thread's writes beyond the limit on file sizes (RLIMIT_FSIZE) fail with EFBIG and
/// do nothing else; otherwise SIGXFSZ would end the process. A signal that was pending before stays so.
class file_size_signal_blocker {
public:
  file_size_signal_blocker() noexcept;
  ~file_size_signal_blocker();
  file_size_signal_blocker(const file_size_signal_blocker&) = delete;
  file_size_signal_blocker& operator=(const file_size_signal_blocker&) = delete;

private:
  sigset_t before_;
  bool was_pending_ = false;
};

} // namespace falx
