// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "file_size_signal.hpp"

#include <cerrno>
#include <ctime>
#include <pthread.h>

namespace falx {
namespace {

sigset_t only_the_signal() noexcept {
  sigset_t set;
  ::sigemptyset(&set);
  ::sigaddset(&set, SIGXFSZ);
  return set;
}

bool is_pending() noexcept {
  sigset_t pending;
  return ::sigpending(&pending) == 0 && ::sigismember(&pending, SIGXFSZ) == 1;
}

} // namespace

file_size_signal_blocker::file_size_signal_blocker() noexcept : was_pending_(is_pending()) {
  const sigset_t signal = only_the_signal();
  ::pthread_sigmask(SIG_BLOCK, &signal, &before_);
}

file_size_signal_blocker::~file_size_signal_blocker() {
  const int error = errno;
  const sigset_t signal = only_the_signal();
  if (!was_pending_ && is_pending()) {
    const timespec at_once{};
    while (::sigtimedwait(&signal, nullptr, &at_once) < 0 && errno == EINTR) {
    }
  }
  if (::sigismember(&before_, SIGXFSZ) == 0)
    ::pthread_sigmask(SIG_UNBLOCK, &signal, nullptr);
  errno = error;
}

} // namespace falx
