// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/requirements.hpp"

#include <cstddef>

namespace falx {

class command_group;

/// How a reduction over a basic range is shared out.
struct reduction_plan {
  /// Number of partial results.
  std::size_t groups;
  /// Work-items that make one partial result together: on CPUs a sub-group.
  std::size_t group_size;
  /// All groups go side by side through the range, as on GPUs; else each has a long contiguous share of it.
  bool is_strided;
};

/// Chooses for the command group's device. There is at least one group, also for an empty range. \p
/// scratch_bytes is the size of the largest value that a group's work-items combine, for each of which the
/// group needs local memory.
reduction_plan plan_reduction(command_group& group, std::size_t work_items, std::size_t scratch_bytes);

/// Bytes at the start of reduction scratch memory that are zero when a kernel gets it: 32-bit counters.
constexpr std::size_t REDUCTION_COUNTER_BYTES = 4096;

/// Throws errc::nd_range if there are more partial results than the groups' counters, of 32 bits, can count.
void check_reduction_groups(std::size_t groups);

/// Memory of the command group's device, aligned to 64 bytes, that belongs to the command group's kernel
/// until it has finished. Its first REDUCTION_COUNTER_BYTES are zero, and the kernel must leave them so; the
/// rest has any value.
void* take_reduction_scratch(command_group& group, std::size_t bytes);

/// The kernel will write \p result once. Small blocks of shared memory with results are not moved between
/// host and device: that costs some 50 microseconds each time, and a write across the bus one.
void announce_reduction_result(command_group& group, const void* result);

} // namespace falx
