// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <pthread.h>

namespace falx {

/// Calls a function when a thread ends that has registered it. Not at the end of the process. In static
/// storage and never destroyed.
///
/// A thread_local object with a destructor would not do: to register it takes the dynamic linker's lock,
/// which dlclose holds while it waits for the kernels of the library, and so for the thread.
class thread_end {
public:
  explicit thread_end(void (*function)(void* data)) noexcept
      : is_known_(::pthread_key_create(&key_, function) == 0) {}

  /// Registers the calling thread; \p data is not null. Without the means for it, nothing is ever called.
  void watch(void* data) const noexcept {
    if (is_known_)
      ::pthread_setspecific(key_, data);
  }

private:
  ::pthread_key_t key_{};
  const bool is_known_;
};

} // namespace falx
