// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>

/// \file
/// Every builtin of device code. In a kernel the JIT expands them (jit/passes) or links devicelib/; in host
/// code libfalx defines them as functions that end the program with a sentence, because SYCL index-space
/// functions only exist inside a kernel. Math has no builtins of its own: headers call __builtin_sinf and its
/// kin, device IR holds libm calls or LLVM intrinsics, and each target maps those.
///
/// Axis x is the fastest-moving one: the last SYCL dimension.

extern "C" {

#define FALX_BUILTIN __attribute__((const, nothrow))
#define FALX_CONVERGENT_BUILTIN __attribute__((convergent, nothrow))

/// Index of the work-item in the whole range, launch offset included. Valid for kernel kinds range and
/// nd_range.
FALX_BUILTIN std::size_t __falx_global_id_x();
FALX_BUILTIN std::size_t __falx_global_id_y();
FALX_BUILTIN std::size_t __falx_global_id_z();
FALX_BUILTIN std::size_t __falx_global_range_x();
FALX_BUILTIN std::size_t __falx_global_range_y();
FALX_BUILTIN std::size_t __falx_global_range_z();
FALX_BUILTIN std::size_t __falx_global_offset_x();
FALX_BUILTIN std::size_t __falx_global_offset_y();
FALX_BUILTIN std::size_t __falx_global_offset_z();

/// Index of the work-item in its group. Kinds nd_range only; 0 in kind work_group, whose body is the group.
FALX_BUILTIN std::size_t __falx_local_id_x();
FALX_BUILTIN std::size_t __falx_local_id_y();
FALX_BUILTIN std::size_t __falx_local_id_z();
/// Kinds nd_range and work_group (there the logical local range).
FALX_BUILTIN std::size_t __falx_local_range_x();
FALX_BUILTIN std::size_t __falx_local_range_y();
FALX_BUILTIN std::size_t __falx_local_range_z();
FALX_BUILTIN std::size_t __falx_group_id_x();
FALX_BUILTIN std::size_t __falx_group_id_y();
FALX_BUILTIN std::size_t __falx_group_id_z();
FALX_BUILTIN std::size_t __falx_group_range_x();
FALX_BUILTIN std::size_t __falx_group_range_y();
FALX_BUILTIN std::size_t __falx_group_range_z();

/// Waits for all work-items of the group; orders local and global memory among them. Kind nd_range; in kind
/// work_group it has no effect, as one thread of control runs the group's body.
FALX_CONVERGENT_BUILTIN void __falx_work_group_barrier();
/// Waits for all work-items of the sub-group and orders memory among them.
FALX_CONVERGENT_BUILTIN void __falx_sub_group_barrier();

/// Sub-groups are consecutive local linear ids. On a scalar CPU compilation the size is 1.
FALX_BUILTIN std::uint32_t __falx_sub_group_local_id();
FALX_BUILTIN std::uint32_t __falx_sub_group_size();
FALX_BUILTIN std::uint32_t __falx_sub_group_max_size();
FALX_BUILTIN std::uint32_t __falx_sub_group_id();
FALX_BUILTIN std::uint32_t __falx_sub_group_count();
/// The value that work-item \p lane of the sub-group passed; any value if that lane does not exist.
FALX_CONVERGENT_BUILTIN std::uint32_t __falx_sub_group_shuffle_u32(std::uint32_t value, std::uint32_t lane);
FALX_CONVERGENT_BUILTIN std::uint64_t __falx_sub_group_shuffle_u64(std::uint64_t value, std::uint32_t lane);
/// Bit i is set if work-item i of the sub-group passed true.
FALX_CONVERGENT_BUILTIN std::uint64_t __falx_sub_group_ballot(bool predicate);

/// Base of the launch's dynamic local memory, 128-byte aligned: local accessors hold offsets into it.
FALX_BUILTIN void* __falx_local_memory();
/// Local memory of at least \p bytes_per_work_item times the group's size for the implementation of group
/// algorithms, 64-byte aligned. The argument is a constant after inlining. All calls in a kernel give the
/// same memory; callers put barriers before and after its use.
FALX_BUILTIN void* __falx_group_scratch(std::size_t bytes_per_work_item);
/// Kind work_group: memory that lives until the group's body ends (private_memory), 64-byte aligned.
__attribute__((nothrow)) void* __falx_work_group_alloc(std::size_t bytes);

/// The bytes of a specialization constant's value. \p id is the address of the specialization_id object,
/// whose own bytes are those of the default value.
FALX_BUILTIN const void* __falx_specialization_constant(const void* id);

#undef FALX_BUILTIN
#undef FALX_CONVERGENT_BUILTIN
}
