// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "jit/targets/cpu_abi.hpp"

#include <cstddef>

namespace falx {

/// What a kernel needs of the thread that runs it, in bytes.
struct worker_demand {
  std::size_t local_memory = 0;
  std::size_t group_scratch = 0;
  std::size_t work_item_context = 0;
};

/// The calling thread's memory for kernels, grown to the demand. Valid until the thread asks again.
cpu::worker_memory& worker_memory_for(const worker_demand& demand);

} // namespace falx
