// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cpu_chunks.hpp"

#include "process/spinning.hpp"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <sched.h>
#include <span>
#include <vector>

namespace falx {
namespace {

/// Of what is left of a share, a thread takes this part at a time.
constexpr std::uint32_t PIECES = 8;

class shared_chunks;

/// What gets another thread to take part.
struct ticket : cpu_job {
  ticket() noexcept : cpu_job(&use) {}
  static void use(cpu_job& job) noexcept;
  shared_chunks* work = nullptr;
};

/// Successive chunks, meant for one processor.
class alignas(64) chunk_share {
public:
  struct piece {
    std::uint32_t begin, end;
  };

  void assign(piece chunks) noexcept { left_.store(pack(chunks), std::memory_order_relaxed); }

  /// True for one caller, whose share it is.
  bool claim() noexcept {
    return !is_claimed_.load(std::memory_order_relaxed) &&
           !is_claimed_.exchange(true, std::memory_order_relaxed);
  }

  /// Chunks for the caller; empty if none are left.
  piece take() noexcept {
    std::uint64_t seen = left_.load(std::memory_order_relaxed);
    for (;;) {
      const piece all{static_cast<std::uint32_t>(seen), static_cast<std::uint32_t>(seen >> 32)};
      assert(all.begin <= all.end && "more chunks were taken than there are");
      if (all.begin == all.end)
        return all;
      const std::uint32_t middle = all.begin + std::max((all.end - all.begin) / PIECES, 1u);
      if (left_.compare_exchange_weak(seen, pack({middle, all.end}), std::memory_order_relaxed))
        return {all.begin, middle};
    }
  }

private:
  static std::uint64_t pack(piece chunks) noexcept { return std::uint64_t{chunks.end} << 32 | chunks.begin; }

  std::atomic<std::uint64_t> left_{0};
  std::atomic<bool> is_claimed_{false};
};

/// Chunks that several threads take bit by bit. Lives until its last ticket is used, which may be long after
/// the last chunk is done.
class shared_chunks {
public:
  shared_chunks(cpu_executor& executor, const cpu_chunks& chunks, std::uint32_t helpers, command_view& self,
                void (*done)(command_view&) noexcept)
      : executor_(executor), run_(chunks.run), count_(chunks.end - chunks.begin), share_count_(helpers + 1),
        references_(helpers + 1), self_(self), done_(done),
        shares_(std::make_unique<chunk_share[]>(share_count_)),
        tickets_(std::make_unique<ticket[]>(helpers)) {
    std::memcpy(context_, chunks.context, chunks.context_size);
    const auto border = [&](std::size_t i) {
      return static_cast<std::uint32_t>(chunks.begin + count_ * i / share_count_);
    };
    assert(border(0) == chunks.begin && border(share_count_) == chunks.end &&
           "some chunks belong to no share");
    for (std::size_t i = 0; i < share_count_; ++i)
      shares_[i].assign({border(i), border(i + 1)});
    for (std::uint32_t i = 0; i < helpers; ++i) {
      tickets_[i].work = this;
      ticket_list_.push_back(&tickets_[i]);
    }
  }

  std::span<cpu_job* const> tickets() const noexcept { return ticket_list_; }

  /// Runs chunks while there are any; gives how many.
  std::size_t take_part() noexcept {
    std::size_t mine = 0;
    const std::size_t own = claim_share();
    for (std::size_t i = 0; i < share_count_; ++i) {
      chunk_share& share = shares_[(own + i) % share_count_];
      for (chunk_share::piece piece; (piece = share.take()).begin != piece.end;
           mine += piece.end - piece.begin)
        run_(context_, piece.begin, piece.end);
    }
    return mine;
  }

  /// True on the thread that did the last of all chunks.
  bool finish(std::size_t mine) noexcept {
    if (mine == 0)
      return false;
    publish(&finished_);
    const std::size_t finished = finished_.fetch_add(mine, std::memory_order_acq_rel) + mine;
    assert(finished <= count_ && "a chunk was run twice");
    if (finished != count_)
      return false;
    observe(&finished_);
    return true;
  }

  cpu_executor& executor() const noexcept { return executor_; }
  /// After finish, for those who did not do the last chunk, self may be gone.
  command_view& self() const noexcept { return self_; }
  auto done() const noexcept { return done_; }

  void release() noexcept {
    publish(&references_);
    const std::uint32_t before = references_.fetch_sub(1, std::memory_order_acq_rel);
    assert(before != 0 && "a ticket was used twice");
    if (before != 1)
      return;
    observe(&references_);
    assert(finished_.load() == count_ && "a chunk was never run");
    delete this;
  }

private:
  /// The processor's share, or another one if two threads are on one processor. There is one for everybody.
  std::size_t claim_share() noexcept {
    std::size_t own = static_cast<std::size_t>(std::max(::sched_getcpu(), 0)) % share_count_;
    while (!shares_[own].claim())
      own = (own + 1) % share_count_;
    return own;
  }

  cpu_executor& executor_;
  void (*const run_)(const void*, std::size_t, std::size_t) noexcept;
  const std::size_t count_;
  const std::size_t share_count_;
  alignas(64) std::atomic<std::size_t> finished_{0};
  std::atomic<std::uint32_t> references_;
  command_view& self_;
  void (*const done_)(command_view&) noexcept;
  const std::unique_ptr<chunk_share[]> shares_;
  const std::unique_ptr<ticket[]> tickets_;
  std::vector<cpu_job*> ticket_list_;
  alignas(64) unsigned char context_[cpu_chunks::CONTEXT_BYTES];
};

void ticket::use(cpu_job& job) noexcept {
  shared_chunks& work = *static_cast<ticket&>(job).work;
  std::size_t mine = 0;
  {
    const cpu_long_work long_work(work.executor());
    mine = work.take_part();
  }
  const bool is_last = work.finish(mine);
  command_view& self = work.self();
  const auto done = work.done();
  work.release();
  if (is_last)
    done(self);
}

} // namespace

bool run_chunks(cpu_executor& executor, const cpu_chunks& chunks, command_view& self,
                void (*done)(command_view& self) noexcept) noexcept {
  assert(chunks.begin <= chunks.end && chunks.end <= UINT32_MAX && "shares have numbers of 32 bits");
  assert(chunks.context_size <= cpu_chunks::CONTEXT_BYTES && "the context is copied");
  const std::size_t count = chunks.end - chunks.begin;
  const std::size_t threads = std::min<std::size_t>({executor.thread_count(), chunks.threads, count});
  shared_chunks* work = nullptr;
  if (threads > 1)
    try {
      work = new shared_chunks(executor, chunks, static_cast<std::uint32_t>(threads - 1), self, done);
    } catch (const std::bad_alloc&) {
      work = nullptr; // without memory for shares, one thread has them all
    }
  if (work == nullptr) {
    if (count != 0)
      chunks.run(chunks.context, chunks.begin, chunks.end);
    return true;
  }
  executor.post_all(work->tickets());
  const std::uint64_t start = chunks.learn != nullptr ? now() : 0;
  const std::size_t mine = work->take_part();
  if (chunks.learn != nullptr && mine != 0)
    chunks.learn(chunks.context, now() - start, mine);
  const bool is_last = work->finish(mine);
  work->release();
  return is_last;
}

} // namespace falx
