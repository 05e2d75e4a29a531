// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

namespace falx::jit {

/// Which instructions of a kernel of kind work_group run for every work-item, and which once for the group?
/// The former stand between __falx_work_items_begin and __falx_work_items_end on every path to them. Valid
/// until blocks change.
class work_item_regions {
public:
  explicit work_item_regions(llvm::Function& kernel);

  /// Of the two markers themselves: false.
  bool is_work_item_code(const llvm::Instruction& instruction) const;
  /// Do all users of \p variable but the markers of its lifetime stand in work-item code? While all variables
  /// are memory, these are those of work-items: work-items see others through what the group's code stored.
  bool is_used_by_work_items_only(const llvm::AllocaInst& variable) const;

private:
  /// Work-item code when the block begins.
  llvm::DenseMap<const llvm::BasicBlock*, bool> begins_inside_;
};

/// 1 for a call of __falx_work_items_begin, -1 for one of __falx_work_items_end or _end_unordered, else 0.
int work_item_marker(const llvm::Instruction& instruction);

} // namespace falx::jit
