// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cpu_chunks.hpp"

#include "wait_help.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

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
    for (std::uint32_t i = 0; i < helpers; ++i) {
      tickets_[i].work = this;
      ticket_list_.push_back(&tickets_[i]);
    }
  }

  /// What gets other threads to take part, one each.
  std::span<cpu_job* const> tickets() const noexcept { return ticket_list_; }

  /// Takes chunks while there are any; gives how many.
  std::size_t take_part() noexcept {
    std::size_t mine = 0;
    for (std::size_t chunk; (chunk = next_.fetch_add(1, std::memory_order_relaxed)) < end_; ++mine)
      run_(context_, chunk);
    return mine;
  }

  /// True on the thread that did the last of all chunks.
  bool finish(std::size_t mine) noexcept {
    if (mine == 0)
      return false;
    publish(&finished_);
    if (finished_.fetch_add(mine, std::memory_order_acq_rel) + mine != count_)
      return false;
    observe(&finished_);
    return true;
  }

  void release() noexcept {
    publish(&references_);
    if (references_.fetch_sub(1, std::memory_order_acq_rel) != 1)
      return;
    observe(&references_);
    delete this;
  }

private:
  struct ticket : cpu_job {
    ticket() noexcept : cpu_job(&use) {}
    static void use(cpu_job& job) noexcept {
      shared_chunks& work = *static_cast<ticket&>(job).work;
      std::size_t mine = 0;
      {
        const cpu_long_work long_work(cpu_executor::instance());
        mine = work.take_part();
      }
      const bool is_last = work.finish(mine);
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
  std::vector<cpu_job*> ticket_list_;
  alignas(64) unsigned char context_[cpu_chunks::CONTEXT_BYTES];
};

} // namespace

bool run_chunks(cpu_executor& executor, const cpu_chunks& chunks, command& self,
                void (*done)(command& self) noexcept, double* nanoseconds_per_chunk) noexcept {
  const std::size_t count = chunks.end - chunks.begin;
  const auto helpers = static_cast<std::uint32_t>(
      std::min<std::size_t>(executor.thread_count() - 1, count > 0 ? count - 1 : 0));
  if (helpers == 0) {
    for (std::size_t chunk = chunks.begin; chunk != chunks.end; ++chunk)
      chunks.run(chunks.context, chunk);
    return true;
  }
  auto* const work = new shared_chunks(chunks, helpers, self, done);
  executor.post_all(work->tickets());
  const std::uint64_t start = nanoseconds_per_chunk != nullptr ? now() : 0;
  const std::size_t mine = work->take_part();
  if (nanoseconds_per_chunk != nullptr)
    *nanoseconds_per_chunk = mine == 0 ? 0 : static_cast<double>(now() - start) / static_cast<double>(mine);
  const bool is_last = work->finish(mine);
  work->release();
  return is_last;
}

} // namespace falx
