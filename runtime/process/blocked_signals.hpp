// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <csignal>

namespace falx {

/// While one lives, the calling thread gets no signals but those of its own faults, and neither do the
/// threads that it starts: the program's signals are no business of threads that run none of its code.
class blocked_signals {
public:
  blocked_signals() noexcept {
    sigset_t blocked;
    ::sigfillset(&blocked);
    for (int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP})
      ::sigdelset(&blocked, fault);
    ::pthread_sigmask(SIG_BLOCK, &blocked, &before_);
  }
  ~blocked_signals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  blocked_signals(const blocked_signals&) = delete;
  blocked_signals& operator=(const blocked_signals&) = delete;

private:
  sigset_t before_{};
};

} // namespace falx
