// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>

/// \file
/// The contract between machine code of a CPU kernel and runtime/backends/cpu. Plain C layouts: the JIT
/// writes accesses to them as IR. Axis order everywhere: x (fastest) first.

namespace falx::cpu {

/// Constant for one launch.
struct launch_arguments {
  /// The kernel's function object.
  const void* function;
  std::uint64_t global_range[3];
  std::uint64_t global_offset[3];
  std::uint64_t local_range[3];
  std::uint64_t group_range[3];
};

/// Owned by the thread that runs a chunk.
struct worker_memory {
  /// Dynamic local memory, then nothing: 128-byte aligned.
  void* local_memory;
  /// kernel_properties::scratch_bytes_per_work_item times the group's size, 64-byte aligned.
  void* group_scratch;
  /// kernel_properties::context_bytes_per_work_item times the group's size rounded up to a multiple of 64
  /// work-items, 64-byte aligned: values that live across barriers.
  void* work_item_context;
  /// Bump allocator behind __falx_work_group_alloc; freed when the group's body ends.
  void* (*allocate)(worker_memory*, std::uint64_t bytes);
  void (*release)(worker_memory*);
  void* allocator_state;
  /// The group cannot go on: so many of its work-items wait at asynchronous barriers, and so many at a group
  /// barrier. The kernel leaves the group as it is.
  void (*report_deadlock)(worker_memory*, std::uint64_t waiting, std::uint64_t gathered);
  /// The launch whose groups are run: the runtime's business.
  void* launch;
};

/// Runs part of a launch. For kinds nd_range and work_group \p begin and \p end give a box of work-groups
/// (end exclusive); for kinds range and single_task a box of work-items, without the launch offset.
/// A box of kind range begins at a multiple of 128, the largest vector, on axis x: code relies on it.
using kernel_function = void (*)(const launch_arguments*, const std::uint64_t begin[3],
                                 const std::uint64_t end[3], worker_memory*);

/// Exported by every kernel's shared object under the name KERNEL_PROPERTIES_SYMBOL.
struct kernel_properties {
  std::uint32_t abi_version;
  std::uint32_t sub_group_size;
  std::uint64_t scratch_bytes_per_work_item;
  std::uint64_t context_bytes_per_work_item;
  kernel_function function;
};

constexpr std::uint32_t CPU_ABI_VERSION = 2;
constexpr const char* KERNEL_PROPERTIES_SYMBOL = "falx_kernel_properties";

} // namespace falx::cpu
