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
  /// Where an object lies that the calling work-item can access: a number of sycl::access::address_space.
  std::uint32_t (*address_space_of)(worker_memory*, const void* object);
  /// Above the kernel's frames on the stack.
  const void* stack_top;
};

/// Runs part of a launch. For kinds nd_range and work_group \p begin and \p end give a box of work-groups
/// (end exclusive); for kinds range and single_task a box of work-items, without the launch offset.
/// A box of kind range begins at a multiple of 128, the largest vector, on axis x: code relies on it.
using kernel_function = void (*)(const launch_arguments*, const std::uint64_t begin[3],
                                 const std::uint64_t end[3], worker_memory*);

/// Where a piece of the kernel's machine code comes from. It ends where the next one begins.
struct source_line {
  /// Its first byte, counted from kernel_properties::function.
  std::int32_t code;
  /// 0 if the code has no line.
  std::uint32_t line;
  /// The file's name, ended by a zero, so many bytes behind the beginning of the table.
  std::uint32_t file;
};

/// What a report of a fault reads: plain data without pointers, as nothing else may be touched then.
struct line_table {
  /// Of the lines that follow, in the order of their code.
  std::uint32_t count;

  const source_line* lines() const { return reinterpret_cast<const source_line*>(this + 1); }
};

/// Exported by every kernel's shared object under the name KERNEL_PROPERTIES_SYMBOL.
struct kernel_properties {
  std::uint32_t abi_version;
  std::uint32_t sub_group_size;
  std::uint64_t scratch_bytes_per_work_item;
  std::uint64_t context_bytes_per_work_item;
  kernel_function function;
  /// The frames of the kernel function and of what it calls, at the deepest. Functions of libraries and of
  /// the runtime are not counted, and of functions that call themselves one call is.
  std::uint64_t stack_bytes = 0;
  /// 1 if the kernel may need more than stack_bytes, an unknown amount: functions call themselves, or
  /// variables have sizes that are not constant. Else 0.
  std::uint64_t has_unbounded_stack = 0;
  /// Null for programs without debug information.
  const line_table* lines = nullptr;
  /// 1 if the kernel has another form, vectors or one work-item after the other, that gives the same results
  /// and may be faster (request::takes_other_form). Else 0.
  std::uint64_t has_other_form = 0;
};

constexpr std::uint32_t CPU_ABI_VERSION = 5;
constexpr const char* KERNEL_PROPERTIES_SYMBOL = "falx_kernel_properties";
/// What is known only when there is machine code: symbols that the linker defines. Not exported.
constexpr const char* STACK_BYTES_SYMBOL = "falx_kernel_stack_bytes";
constexpr const char* UNBOUNDED_STACK_SYMBOL = "falx_kernel_unbounded_stack";
constexpr const char* LINE_TABLE_SYMBOL = "falx_kernel_lines";

} // namespace falx::cpu
