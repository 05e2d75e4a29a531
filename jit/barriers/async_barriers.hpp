// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "work_item_context.hpp"

#include <llvm/ADT/StringRef.h>

namespace falx::jit {

/// What a group's scheduler keeps. Work-items and sub-groups are numbered from 1 there;
/// targets/cpu/cpu_builtins.ll says what a node is, and a list.
struct scheduling {
  /// i32: the region in which the work-item goes on.
  context_slot resume;
  /// %falx.lanes: the node whose number is the work-item's.
  context_slot nodes;
  /// %falx.lanes: which lanes of the sub-group can run. As many elements are used as there are sub-groups.
  context_slot sub_groups;
  /// i32: the last of the sub-groups that have such lanes. Only the first element is used.
  context_slot ready;
};

scheduling reserve_scheduling(kernel_attributes& attributes, llvm::Function& work_item);

/// The arrays of \p slot in a group's memory, from which number 1 is the first element; \p count is
/// context_count.
llvm::Value* numbered_array(llvm::IRBuilder<>& builder, llvm::Function& function, llvm::Value* count,
                            const context_slot& slot);

/// What builtin_name is of the builtins of asynchronous barriers.
constexpr llvm::StringLiteral ASYNC_BARRIER_BUILTIN = "async_barrier_";

/// Target cpu: does the function call __falx_async_barrier_*?
bool has_async_barriers(const llvm::Function& work_item);

/// Functions of targets/cpu/cpu_builtins.ll. Calls at which a work-item is suspended, after expansion:
constexpr llvm::StringLiteral SUSPEND_AT_WAIT = "falx.suspend.wait";
constexpr llvm::StringLiteral SUSPEND_AND_YIELD = "falx.suspend.yield";
constexpr llvm::StringLiteral SUSPEND_FOR_SUB_GROUP = "falx.suspend.sub_group";
/// i64 token (ptr state, i64 arrivals, i64 dropped, …)
constexpr llvm::StringLiteral COUNT_ARRIVALS = "falx.async_barrier.count";
/// i1 over (ptr state, i64 token, ptr nodes, i32 self, i64 lane): if not, the lane waits from here on.
constexpr llvm::StringLiteral ENTER_WAIT = "falx.async_barrier.enter";
/// void (ptr state, ptr nodes, i32 self, i64 lanes): lanes of a sub-group, self among them, wait.
constexpr llvm::StringLiteral ENLIST = "falx.async_barrier.enlist";
/// The bits of a state and of a token that are its cycle.
constexpr std::uint64_t CYCLE_BITS = 0x000FFF0000000000;
/// void (ptr sub_groups, ptr ready, i32 number, i64 lanes): lanes of a sub-group can run.
constexpr llvm::StringLiteral SCHEDULE = "falx.schedule";

/// Target cpu: turns the calls into code on the barrier's 64 bits and the scheduler's lists, with calls of
/// the functions above where a work-item stops. See the .cpp file for IR before and after. Fails on a builtin
/// that there is not.
llvm::Error expand_async_barriers(llvm::Function& work_item, const kernel_attributes& attributes,
                                  const scheduling& lists);

/// Has lanes wait for each other before what their sub-group does together, where they may have parted at a
/// suspension since.
void gather_sub_groups(llvm::Function& work_item);

} // namespace falx::jit
