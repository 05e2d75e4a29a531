// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda_completion_thread.hpp"

#include "process/spinning.hpp"

#include <algorithm>
#include <chrono>
#include <memory>

namespace falx {
namespace {

/// As long as commands may complete within this time the thread does not sleep.
constexpr std::uint64_t SPIN_NANOSECONDS = 50'000;
/// It then sleeps for this part of the time that it has waited, so the delay stays small beside the wait.
constexpr std::uint64_t PART_OF_WAIT = 16;
constexpr std::uint64_t LONGEST_SLEEP_NANOSECONDS = 1'000'000;

thread_local constinit bool is_completion_thread = false;

} // namespace

cuda_completion_thread& cuda_completion_thread::instance() {
  static cuda_completion_thread& thread = *std::make_unique<cuda_completion_thread>().release();
  return thread;
}

void cuda_completion_thread::watch(cuda_stream& stream) noexcept {
  complete_lost({&stream});
}

void cuda_completion_thread::complete_lost(std::vector<cuda_stream*> streams) noexcept {
  {
    const std::lock_guard lock(mutex_);
    for (cuda_stream* stream : streams)
      if (std::ranges::find(arrived_, stream) == arrived_.end())
        arrived_.push_back(stream);
    if (!thread_.joinable())
      thread_ = std::thread([this] { run(); });
  }
  wake_.notify_one();
}

bool cuda_completion_thread::is_current() noexcept {
  return is_completion_thread;
}

void cuda_completion_thread::dispose(finished_work work) noexcept {
  {
    const std::lock_guard lock(disposal_mutex_);
    disposals_.push_back(std::move(work));
    if (!disposal_thread_.joinable())
      disposal_thread_ = std::thread([this] { run_disposals(); });
  }
  disposal_wake_.notify_one();
}

void cuda_completion_thread::run_disposals() noexcept {
  for (;;) {
    std::vector<finished_work> taken;
    std::unique_lock lock(disposal_mutex_);
    disposal_wake_.wait(lock, [this] { return !disposals_.empty(); });
    taken.swap(disposals_);
    lock.unlock(); // before taken goes
  }
}

void cuda_completion_thread::run() noexcept {
  is_completion_thread = true;
  std::vector<cuda_stream*> watched;
  std::uint64_t waiting_since = now();
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      if (watched.empty()) {
        wake_.wait(lock, [this] { return !arrived_.empty(); });
        waiting_since = now();
      } else if (const std::uint64_t waited = now() - waiting_since; waited > SPIN_NANOSECONDS) {
        const std::uint64_t sleep = std::min(waited / PART_OF_WAIT, LONGEST_SLEEP_NANOSECONDS);
        wake_.wait_for(lock, std::chrono::nanoseconds(sleep), [this] { return !arrived_.empty(); });
      }
      for (cuda_stream* stream : arrived_)
        if (std::ranges::find(watched, stream) == watched.end())
          watched.push_back(stream);
      if (!arrived_.empty())
        waiting_since = now();
      arrived_.clear();
    }
    std::erase_if(watched, [](cuda_stream* stream) { return !stream->complete_watched(); });
  }
}

} // namespace falx
