// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "frontend/async_barrier_names.hpp"
#include "work_item_context.hpp"

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

/// Target cpu: does the function call __falx_async_barrier_*?
bool has_async_barriers(const llvm::Function& work_item);

/// Target cpu: turns the calls into code on the barrier's 64 bits and the scheduler's lists, with calls of
/// the functions of async_barrier_names.hpp where a work-item stops. See the .cpp file for IR before and
/// after. Fails on a builtin that there is not.
llvm::Error expand_async_barriers(llvm::Function& work_item, const kernel_attributes& attributes,
                                  const scheduling& lists);

/// Has lanes wait for each other before what their sub-group does together, where they may have parted at a
/// suspension since.
void gather_sub_groups(llvm::Function& work_item);

} // namespace falx::jit
