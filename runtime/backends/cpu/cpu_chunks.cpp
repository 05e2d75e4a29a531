// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cpu_chunks.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>

namespace falx {
namespace {

/// Chunks that several threads take one by one. Lives until its last ticket is used, which may be long after
/// the last chunk is done.
class shared_chunks {
public:
  shared_chunks(const cpu_chunks& chunks, std::uint32_t helpers, command& self,
                void (*done)(command&) noexcept)
      : run_(chunks.run), end_(chunks.end), count_(chunks.end - chunks.begin), next_(chunks.begin),
        references_(helpers + 1), self_(self), done_(done), tickets_(std::make_unique<ticket[]>(helpers)) {
    std::memcpy(context_, chunks.context, chunks.context_size);
    for (std::uint32_t i = 0; i < helpers; ++i)
      tickets_[i].work = this;
  }

  cpu_job& ticket_of(std::uint32_t helper) noexcept { return tickets_[helper]; }

  /// Takes chunks while there are any. True on the thread that does the last one.
  bool take_part() noexcept {
    std::size_t mine = 0;
    for (std::size_t chunk; (chunk = next_.fetch_add(1, std::memory_order_relaxed)) < end_; ++mine)
      run_(context_, chunk);
    return mine != 0 && finished_.fetch_add(mine, std::memory_order_acq_rel) + mine == count_;
  }

  void release() noexcept {
    if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1)
      delete this;
  }

private:
  struct ticket : cpu_job {
    ticket() noexcept : cpu_job(&use) {}
    static void use(cpu_job& job) noexcept {
      shared_chunks& work = *static_cast<ticket&>(job).work;
      const bool is_last = work.take_part();
      command& self = work.self_;
      const auto done = work.done_;
      work.release();
      if (is_last)
        done(self);
    }
    shared_chunks* work = nullptr;
  };

  void (*const run_)(const void*, std::size_t) noexcept;
  const std::size_t end_;
  const std::size_t count_;
  alignas(64) std::atomic<std::size_t> next_;
  alignas(64) std::atomic<std::size_t> finished_{0};
  std::atomic<std::uint32_t> references_;
  command& self_;
  void (*const done_)(command&) noexcept;
  const std::unique_ptr<ticket[]> tickets_;
  alignas(64) unsigned char context_[cpu_chunks::CONTEXT_BYTES];
};

} // namespace

bool run_chunks(cpu_executor& executor, const cpu_chunks& chunks, command& self,
                void (*done)(command& self) noexcept) noexcept {
  const std::size_t count = chunks.end - chunks.begin;
  const auto helpers = static_cast<std::uint32_t>(
      std::min<std::size_t>(executor.thread_count() - 1, count > 0 ? count - 1 : 0));
  if (helpers == 0) {
    for (std::size_t chunk = chunks.begin; chunk != chunks.end; ++chunk)
      chunks.run(chunks.context, chunk);
    return true;
  }
  auto* const work = new shared_chunks(chunks, helpers, self, done);
  for (std::uint32_t helper = 0; helper < helpers; ++helper)
    executor.post(work->ticket_of(helper));
  const bool is_last = work->take_part();
  work->release();
  return is_last;
}

} // namespace falx
