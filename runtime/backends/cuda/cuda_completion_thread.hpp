// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "cuda_stream.hpp"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace falx {

/// The thread that polls the driver for commands which work on the host waits for, and about those that
/// no thread waits for. Started when first needed. It polls often at first and then at intervals that grow
/// with the time that the command takes: the driver's own notifications are slower, and never come once a
/// context is lost.
class cuda_completion_thread {
public:
  /// Never destroyed: at the end of the process the thread sleeps, as no command is left.
  static cuda_completion_thread& instance();

  /// Completes commands of \p stream until all that it watches are complete.
  void watch(cuda_stream& stream) noexcept;
  /// Completes all commands of \p streams, whose context is lost.
  void complete_lost(std::vector<cuda_stream*> streams) noexcept;

  /// The calling thread is this one.
  static bool is_current() noexcept;
  /// Destroys \p work in another thread, as that may run the program's destructors, which may wait for
  /// commands that this one is to complete.
  void dispose(finished_work work) noexcept;

private:
  void run() noexcept;
  void run_disposals() noexcept;

  std::mutex mutex_;
  std::condition_variable wake_;
  std::thread thread_;
  std::vector<cuda_stream*> arrived_;

  std::mutex disposal_mutex_;
  std::condition_variable disposal_wake_;
  std::thread disposal_thread_;
  std::vector<finished_work> disposals_;
};

} // namespace falx
