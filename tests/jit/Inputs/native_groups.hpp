// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/kernel.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>

/// \file
/// Runs kernels that the host's compiler made, as the reference for those that the JIT makes. This room
/// defines the builtins of device code; each work-item is a fiber, which waits at barriers and where
/// sub-groups meet.

struct native_launch {
  falx::kernel_kind kind;
  unsigned dimensions;
  /// Kind range: the local extents are 1.
  std::uint64_t local[3], groups[3], offset[3];
  /// Any power of two up to 64.
  std::uint32_t sub_group_size;
};

/// Runs all work-items, group by group. Does not return if a group's work-items do not all come to a barrier.
void run_natively(const native_launch& launch, const std::function<void()>& work_item, void* local_memory);
