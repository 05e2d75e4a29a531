// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mutex>

#ifndef NDEBUG
#include <atomic>
#include <pthread.h>
#endif

namespace falx {

/// A std::mutex of which functions that want it held can say so, by an assertion. Without assertions it is
/// nothing else.
class owned_mutex {
public:
#ifdef NDEBUG
  void lock() { mutex_.lock(); }
  bool try_lock() { return mutex_.try_lock(); }
  void unlock() { mutex_.unlock(); }
#else
  void lock() {
    mutex_.lock();
    owner_.store(::pthread_self(), std::memory_order_relaxed);
  }
  bool try_lock() {
    const bool is_mine = mutex_.try_lock();
    if (is_mine)
      owner_.store(::pthread_self(), std::memory_order_relaxed);
    return is_mine;
  }
  void unlock() {
    owner_.store(0, std::memory_order_relaxed);
    mutex_.unlock();
  }
  /// By the calling thread.
  bool is_held() const noexcept { return owner_.load(std::memory_order_relaxed) == ::pthread_self(); }
#endif

private:
  std::mutex mutex_;
#ifndef NDEBUG
  /// 0: no thread. std::thread::id has no constant to begin with.
  std::atomic<pthread_t> owner_{0};
#endif
};

} // namespace falx
