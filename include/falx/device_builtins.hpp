// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/requirements.hpp"

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
/// work_group it waits for the threads that run the group's body, if there are several.
FALX_CONVERGENT_BUILTIN void __falx_work_group_barrier();
/// Waits for all work-items of the sub-group and orders memory among them. The functions of sub-groups below
/// need not.
FALX_CONVERGENT_BUILTIN void __falx_sub_group_barrier();

/// Sub-groups are consecutive local linear ids. On a scalar CPU compilation the size is 1.
FALX_BUILTIN std::uint32_t __falx_sub_group_local_id();
FALX_BUILTIN std::uint32_t __falx_sub_group_size();
FALX_BUILTIN std::uint32_t __falx_sub_group_max_size();
FALX_BUILTIN std::uint32_t __falx_sub_group_id();
FALX_BUILTIN std::uint32_t __falx_sub_group_count();
/// Whether a group's sub-groups run from one barrier to the next in order of their numbers, each when the one
/// before it is there: what that one wrote can be read. Constant in every kernel; false if sub-groups have
/// one work-item.
FALX_BUILTIN bool __falx_sub_groups_in_order();
/// The value that work-item \p lane of the sub-group passed; any value if that lane does not exist.
FALX_CONVERGENT_BUILTIN std::uint32_t __falx_sub_group_shuffle_u32(std::uint32_t value, std::uint32_t lane);
FALX_CONVERGENT_BUILTIN std::uint64_t __falx_sub_group_shuffle_u64(std::uint64_t value, std::uint32_t lane);
/// The same where the lane is this one's number minus, plus or xor \p distance.
FALX_CONVERGENT_BUILTIN std::uint32_t __falx_sub_group_shuffle_up_u32(std::uint32_t value,
                                                                      std::uint32_t distance);
FALX_CONVERGENT_BUILTIN std::uint64_t __falx_sub_group_shuffle_up_u64(std::uint64_t value,
                                                                      std::uint32_t distance);
FALX_CONVERGENT_BUILTIN std::uint32_t __falx_sub_group_shuffle_down_u32(std::uint32_t value,
                                                                        std::uint32_t distance);
FALX_CONVERGENT_BUILTIN std::uint64_t __falx_sub_group_shuffle_down_u64(std::uint64_t value,
                                                                        std::uint32_t distance);
FALX_CONVERGENT_BUILTIN std::uint32_t __falx_sub_group_shuffle_xor_u32(std::uint32_t value,
                                                                       std::uint32_t distance);
FALX_CONVERGENT_BUILTIN std::uint64_t __falx_sub_group_shuffle_xor_u64(std::uint64_t value,
                                                                       std::uint32_t distance);
FALX_CONVERGENT_BUILTIN bool __falx_sub_group_any(bool predicate);
FALX_CONVERGENT_BUILTIN bool __falx_sub_group_all(bool predicate);
/// Combines the values of all work-items of the sub-group, in any order.
#define FALX_SUB_GROUP_REDUCE(name, type)                                                                    \
  FALX_CONVERGENT_BUILTIN type __falx_sub_group_reduce_##name(type value);
#define FALX_SUB_GROUP_REDUCTIONS(apply)                                                                     \
  apply(add_u32, std::uint32_t) apply(min_s32, std::int32_t) apply(max_s32, std::int32_t)                    \
      apply(min_u32, std::uint32_t) apply(max_u32, std::uint32_t) apply(and_u32, std::uint32_t)              \
          apply(or_u32, std::uint32_t) apply(xor_u32, std::uint32_t) apply(add_u64, std::uint64_t)           \
              apply(min_s64, std::int64_t) apply(max_s64, std::int64_t) apply(min_u64, std::uint64_t)        \
                  apply(max_u64, std::uint64_t) apply(and_u64, std::uint64_t) apply(or_u64, std::uint64_t)   \
                      apply(xor_u64, std::uint64_t) apply(add_f32, float) apply(min_f32, float)              \
                          apply(max_f32, float) apply(add_f64, double) apply(min_f64, double)                \
                              apply(max_f64, double)
FALX_SUB_GROUP_REDUCTIONS(FALX_SUB_GROUP_REDUCE)
#undef FALX_SUB_GROUP_REDUCE
/// Bit i is set if work-item i of the sub-group passed true.
FALX_CONVERGENT_BUILTIN std::uint64_t __falx_sub_group_ballot(bool predicate);

/// Base of the launch's dynamic local memory, 128-byte aligned: local accessors hold offsets into it.
FALX_BUILTIN void* __falx_local_memory();
/// Local memory of at least \p bytes_per_work_item times the group's size for the implementation of group
/// algorithms, 64-byte aligned. The argument is a constant after inlining. All calls in a kernel give the
/// same memory; callers put barriers before and after its use.
FALX_BUILTIN void* __falx_group_scratch(std::size_t bytes_per_work_item);
/// Local memory of its own for each place of the program that calls it, the same for all work-items of the
/// group. The arguments are constants after inlining; \p alignment is a power of two of at most 64. Kinds
/// nd_range and work_group.
FALX_CONVERGENT_BUILTIN void* __falx_group_local_memory(std::size_t bytes, std::size_t alignment);
/// Kind work_group: memory that lives until the group's body ends (private_memory), 64-byte aligned.
__attribute__((nothrow)) void* __falx_work_group_alloc(std::size_t bytes);

/// Asynchronous barriers (sycl_ext_oneapi_cuda_async_barrier), of kind nd_range. \p state is local memory,
/// aligned to 8 bytes; tokens are of the state's making.
#define FALX_ASYNC_BARRIER __attribute__((nothrow))
FALX_ASYNC_BARRIER void __falx_async_barrier_initialize(std::uint64_t* state, std::uint32_t expected);
FALX_ASYNC_BARRIER void __falx_async_barrier_invalidate(std::uint64_t* state);
FALX_ASYNC_BARRIER std::uint64_t __falx_async_barrier_arrive(std::uint64_t* state);
FALX_ASYNC_BARRIER std::uint64_t __falx_async_barrier_arrive_and_drop(std::uint64_t* state);
FALX_ASYNC_BARRIER std::uint64_t __falx_async_barrier_arrive_no_complete(std::uint64_t* state,
                                                                         std::uint32_t count);
FALX_ASYNC_BARRIER std::uint64_t __falx_async_barrier_arrive_and_drop_no_complete(std::uint64_t* state,
                                                                                  std::uint32_t count);
/// An arrival when the work-item's asynchronous copies so far are complete; the first one adds it to the
/// pending arrivals beforehand.
FALX_ASYNC_BARRIER void __falx_async_barrier_arrive_after_copies(std::uint64_t* state);
FALX_ASYNC_BARRIER void __falx_async_barrier_arrive_after_copies_no_inc(std::uint64_t* state);
/// Waits for the end of the cycle in which \p token was given, or asks for it.
FALX_ASYNC_BARRIER void __falx_async_barrier_wait(std::uint64_t* state, std::uint64_t token);
FALX_ASYNC_BARRIER bool __falx_async_barrier_test(std::uint64_t* state, std::uint64_t token);
#undef FALX_ASYNC_BARRIER

/// Whether the device copies from global to local memory while the work-item goes on. Constant in every
/// kernel.
FALX_BUILTIN bool __falx_has_async_copies();
/// Begins to copy 4, 8 or 16 \p bytes from global to local memory, both aligned to as many. The size is a
/// constant after inlining.
__attribute__((nothrow)) void __falx_async_copy(void* local, const void* global, std::uint32_t bytes);
/// Waits for all copies that the work-item has begun.
__attribute__((nothrow)) void __falx_wait_for_async_copies();

/// Kind work_group: what stands between the two runs once per work-item, in loops that go from first to the
/// logical range in steps. Both wait for all work-items of the group.
FALX_CONVERGENT_BUILTIN void __falx_work_items_begin();
FALX_CONVERGENT_BUILTIN void __falx_work_items_end();
/// Ends the region where nobody has to wait.
FALX_CONVERGENT_BUILTIN void __falx_work_items_end_unordered();
/// 0 and 1 where one thread of control runs the group's body, else local id and local range.
FALX_BUILTIN std::size_t __falx_work_items_first_x();
FALX_BUILTIN std::size_t __falx_work_items_first_y();
FALX_BUILTIN std::size_t __falx_work_items_first_z();
FALX_BUILTIN std::size_t __falx_work_items_step_x();
FALX_BUILTIN std::size_t __falx_work_items_step_y();
FALX_BUILTIN std::size_t __falx_work_items_step_z();

/// Gives \p object. Atomic operations through the result have the scope, a number of sycl::memory_scope: host
/// IR has no place for it.
FALX_BUILTIN void* __falx_atomic_scope(const volatile void* object, std::uint32_t scope);
/// Fence with an order of __ATOMIC_* and a number of sycl::memory_scope.
__attribute__((nothrow)) void __falx_fence(int order, std::uint32_t scope);

/// A hint that the cache line of \p object in global memory will be read soon: to be brought into \p level
/// (1 to 4, or the nearest that there is) of the cache. \p nontemporal: it will not be read again.
__attribute__((nothrow)) void __falx_prefetch(const void* object, std::uint32_t level, bool nontemporal);
/// What one prefetch brings. Constant in every kernel.
FALX_BUILTIN std::size_t __falx_cache_line_bytes();

/// sycl::native: float functions as fast as the device has them.
#define FALX_NATIVE_FUNCTIONS(one, two)                                                                      \
  one(cos) one(exp) one(exp2) one(exp10) one(log) one(log2) one(log10) one(recip) one(rsqrt) one(sin)        \
      one(sqrt) one(tan) two(divide) two(powr)
#define FALX_NATIVE_1(name) FALX_BUILTIN float __falx_native_##name##_f32(float x);
#define FALX_NATIVE_2(name) FALX_BUILTIN float __falx_native_##name##_f32(float x, float y);
FALX_NATIVE_FUNCTIONS(FALX_NATIVE_1, FALX_NATIVE_2)
#undef FALX_NATIVE_1
#undef FALX_NATIVE_2

/// 1 / sqrt(x), as exact as SYCL asks (2 units in the last place): devices may have an instruction for it.
FALX_BUILTIN float __falx_rsqrt_f32(float x);
FALX_BUILTIN double __falx_rsqrt_f64(double x);
/// Whether the device's fma of halves rounds once. Constant in every kernel.
FALX_BUILTIN bool __falx_has_half_fma();

/// The bytes of a specialization constant's value. \p id is the address of the specialization_id object,
/// whose own bytes are those of the default value.
FALX_BUILTIN const void* __falx_specialization_constant(const void* id);

#undef FALX_BUILTIN
#undef FALX_CONVERGENT_BUILTIN
}
