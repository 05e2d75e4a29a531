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

/// Is __falx_\p name a builtin of asynchronous barriers?
bool is_async_barrier_builtin(llvm::StringRef name);

/// Target cpu: does the function call __falx_async_barrier_*?
bool has_async_barriers(const llvm::Function& work_item);

/// Calls at which a work-item is suspended, after expansion.
constexpr llvm::StringLiteral SUSPEND_AT_WAIT = "falx.suspend.wait";
constexpr llvm::StringLiteral SUSPEND_AND_YIELD = "falx.suspend.yield";

/// Target cpu: turns the calls into code on the barrier's 64 bits and the scheduler's lists, with calls of
/// the two functions above where a work-item stops. See the .cpp file for IR before and after.
void expand_async_barriers(llvm::Function& work_item, const kernel_attributes& attributes,
                           const scheduling& lists);

} // namespace falx::jit
