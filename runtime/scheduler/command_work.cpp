// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "command_work.hpp"

#include "command_memory.hpp"
#include "falx/buffer.hpp"

#include <bit>
#include <cassert>
#include <cstring>
#include <new>
#include <utility>

namespace falx {

void* command_work::operator new(std::size_t) {
  static_assert(sizeof(command_work) <= LARGE_BLOCK);
  return recycled_memory<LARGE_BLOCK>::allocate();
}
void command_work::operator delete(void* memory, std::size_t) noexcept {
  recycled_memory<LARGE_BLOCK>::free(memory);
}

command_work::~command_work() {
  finish();
  for (const completion_action& kept : kept_alive)
    kept.action(kept.data);
  if (large_function_ != nullptr)
    ::operator delete(large_function_, std::align_val_t{large_alignment_});
}

void* command_work::store_function(const void* function, std::size_t size, std::size_t alignment,
                                   std::size_t extra) {
  assert(large_function_ == nullptr && "a command has one function object");
  assert(std::has_single_bit(alignment) && "alignments are powers of two");
  void* copy = inline_function_;
  if (size + extra > INLINE_BYTES || alignment > 64) {
    large_alignment_ = alignment < 64 ? 64 : alignment;
    large_function_ = ::operator new(size + extra, std::align_val_t{large_alignment_});
    copy = large_function_;
  }
  std::memcpy(copy, function, size);
  return copy;
}

void command_work::finish() noexcept {
  for (const completion_action& completion : completion_actions)
    completion.action(completion.data);
  completion_actions.clear();
}

void finished_work::destroyer::operator()(device_work* work) const noexcept {
  delete static_cast<command_work*>(work);
}

bool finished_work::may_run_program_code() const noexcept {
  const auto* const work = static_cast<const command_work*>(work_.get());
  return work != nullptr && (!work->kept_alive.empty() || !work->buffers.empty());
}

void command_work::fail(std::exception_ptr error) noexcept {
  if (!failed_.exchange(true, std::memory_order_relaxed))
    failure_ = std::move(error);
}

} // namespace falx
