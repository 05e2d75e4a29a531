// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>

namespace falx {

class command_group;

/// How a reduction over a basic range is shared out.
struct reduction_plan {
  /// Number of partial results.
  std::size_t groups;
  /// Work-items that make one partial result together. 1 on CPUs, where one work-item goes through a long
  /// contiguous share of the range.
  std::size_t group_size;
};

/// Chooses for the command group's device. There is at least one group, also for an empty range.
reduction_plan plan_reduction(command_group& group, std::size_t work_items);

/// Zeroed memory, aligned to 64 bytes, that host and device share until the command group's kernel has
/// finished.
void* allocate_reduction_scratch(command_group& group, std::size_t bytes);

} // namespace falx
