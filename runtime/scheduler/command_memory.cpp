// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "command_memory.hpp"

#include "process/process_state.hpp"
#include "process/thread_end.hpp"

#include <cassert>
#include <cstdint>
#include <mutex>
#include <new>
#include <utility>

namespace falx {
namespace {

struct block {
  block* next;
  /// In the first block of a batch of the shared list: the next batch.
  block* next_batch;
};

constexpr unsigned BATCH = 32;
constexpr unsigned SHARED_BATCHES = 64;
constexpr std::align_val_t ALIGNMENT{64};

/// Batches on their way from threads that free to threads that allocate. Never destroyed: threads may outlive
/// static objects.
struct shared_list {
  std::mutex mutex;
  block* batches = nullptr;
  unsigned count = 0;
};

template <std::size_t Size>
shared_list& shared() {
  static shared_list* list = new shared_list;
  return *list;
}

/// Without a destructor, so that objects destroyed at the end of a thread may still be freed into it.
struct thread_list {
  block* blocks;
  unsigned count;
  bool at_thread_end;
};

template <std::size_t Size>
thread_list& mine() {
  // Found by one addition to the thread's pointer, without a call; the few bytes also fit where the library
  // is loaded late.
  [[gnu::tls_model("initial-exec")]] static thread_local constinit thread_list list{nullptr, 0, false};
  return list;
}

/// Gives a thread's blocks back when it ends.
void give_all(void* data) noexcept {
  thread_list& list = *static_cast<thread_list*>(data);
  list.at_thread_end = true;
  list.count = 0;
  while (block* first = list.blocks) {
    list.blocks = first->next;
    ::operator delete(first, ALIGNMENT);
  }
}

template <std::size_t Size>
void watch_thread_end() {
  static const thread_end end(&give_all);
  end.watch(&mine<Size>());
}

/// Null if there is none.
template <std::size_t Size>
block* take_batch() {
  if (is_forked_child()) // the lock may be a thread's that is not here
    return nullptr;
  shared_list& list = shared<Size>();
  const std::lock_guard lock(list.mutex);
  block* batch = list.batches;
  if (batch != nullptr) {
    list.batches = batch->next_batch;
    --list.count;
  }
  return batch;
}

/// Moves one batch from the thread's list to the shared one, or frees it if that is full.
template <std::size_t Size>
void give_batch(thread_list& list) {
  block* batch = list.blocks;
  block* last = batch;
  assert(list.count >= BATCH && "there is no batch to give");
  for (unsigned i = 1; i < BATCH; ++i)
    last = last->next;
  list.blocks = last->next;
  list.count -= BATCH;
  last->next = nullptr;
  if (!is_forked_child()) {
    shared_list& everybody = shared<Size>();
    const std::lock_guard lock(everybody.mutex);
    if (everybody.count < SHARED_BATCHES) {
      batch->next_batch = everybody.batches;
      everybody.batches = batch;
      ++everybody.count;
      return;
    }
  }
  while (batch != nullptr)
    ::operator delete(std::exchange(batch, batch->next), ALIGNMENT);
}

} // namespace

template <std::size_t Size>
void* recycled_memory<Size>::allocate() {
  thread_list& list = mine<Size>();
  if (list.blocks == nullptr) {
    block* batch = list.at_thread_end ? nullptr : take_batch<Size>();
    if (batch == nullptr)
      return ::operator new(Size, ALIGNMENT);
    watch_thread_end<Size>();
    list.blocks = batch;
    list.count = BATCH;
  }
  assert(list.count != 0 && "the thread's blocks are not those that were counted");
  --list.count;
  return std::exchange(list.blocks, list.blocks->next);
}

template <std::size_t Size>
void recycled_memory<Size>::free(void* memory) noexcept {
  assert(memory != nullptr &&
         reinterpret_cast<std::uintptr_t>(memory) % static_cast<std::size_t>(ALIGNMENT) == 0 &&
         "no such block was allocated");
  thread_list& list = mine<Size>();
  assert((list.blocks == nullptr || list.blocks != memory) && "a block is freed twice");
  if (list.at_thread_end) {
    ::operator delete(memory, ALIGNMENT);
    return;
  }
  if (list.count == 0)
    watch_thread_end<Size>();
  list.blocks = new (memory) block{list.blocks, nullptr};
  if (++list.count >= 2 * BATCH)
    give_batch<Size>(list);
}

template struct recycled_memory<SMALL_BLOCK>;
template struct recycled_memory<LARGE_BLOCK>;

} // namespace falx
