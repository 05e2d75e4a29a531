// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "jit/targets/cpu/cpu_abi.hpp"

#include <cstddef>

namespace falx {

class cpu_kernel_stack;

/// What a kernel needs of the thread that runs it, in bytes.
struct worker_demand {
  std::size_t local_memory = 0;
  std::size_t group_scratch = 0;
  std::size_t work_item_context = 0;
  /// 0: the thread's own stack is enough.
  std::size_t stack = 0;
};

/// A thread keeps its memory for the next kernel. When it has nothing to do, it frees blocks that are larger
/// than this, ...
constexpr std::size_t WORKER_MEMORY_KEPT = std::size_t{64} << 20;
/// ... and the system may take pages of stacks that are larger than this when it needs them.
constexpr std::size_t WORKER_MEMORY_ALWAYS_KEPT = std::size_t{1} << 20;

/// The calling thread's memory for kernels, grown to the demand. Valid until the thread's next call. Throws
/// std::bad_alloc if there is not so much.
cpu::worker_memory& worker_memory_for(const worker_demand& demand);

/// The calling thread's stack for kernels, as large as worker_memory_for was last told.
cpu_kernel_stack& worker_stack() noexcept;

/// The calling thread has nothing to do.
void give_back_worker_memory() noexcept;

} // namespace falx
