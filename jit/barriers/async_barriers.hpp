// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "work_item_context.hpp"

#include <llvm/ADT/StringRef.h>

namespace falx::jit {

/// What a group's scheduler keeps. Work-items are numbered from 1 here, by linear id; a list is a cycle of
/// links whose last work-item is known, and 0 is an empty list.
struct scheduling {
  /// i32: the region in which the work-item goes on.
  context_slot resume;
  /// i32: the next work-item in the list that it is in.
  context_slot link;
  /// i32: the last of those that can run. Only the first element is used.
  context_slot ready;
};

scheduling reserve_scheduling(kernel_attributes& attributes, llvm::Function& work_item);

/// What builtin_name is of the builtins of asynchronous barriers.
constexpr llvm::StringLiteral ASYNC_BARRIER_BUILTIN = "async_barrier_";

/// Target cpu: does the function call __falx_async_barrier_*?
bool has_async_barriers(const llvm::Function& work_item);

/// Functions of targets/cpu/cpu_builtins.ll. Calls at which a work-item is suspended, after expansion:
constexpr llvm::StringLiteral SUSPEND_AT_WAIT = "falx.suspend.wait";
constexpr llvm::StringLiteral SUSPEND_AND_YIELD = "falx.suspend.yield";
/// void (i32 list, i32 last, ptr links): puts a list behind another one, which may be empty.
constexpr llvm::StringLiteral JOIN_LISTS = "falx.list.join";

/// Target cpu: turns the calls into code on the barrier's 64 bits and the scheduler's lists, with calls of
/// the functions above where a work-item stops. See the .cpp file for IR before and after. Fails on a builtin
/// that there is not.
llvm::Error expand_async_barriers(llvm::Function& work_item, const kernel_attributes& attributes,
                                  const scheduling& lists);

} // namespace falx::jit
