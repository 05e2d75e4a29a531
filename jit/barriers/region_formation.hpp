// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "region_values.hpp"
#include "regions.hpp"

#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Instructions.h>

#include <optional>
#include <utility>

namespace falx::jit {

/// A live value after demotion: its slot in the work-item function, and where it waits between regions.
struct kept_value {
  live_value live;
  llvm::AllocaInst* slot = nullptr;
  /// keeping::rematerialised: what it is made of. Demotion changes nothing of it but the group's values,
  /// which become loads of their slots.
  llvm::Value* expression = nullptr;
  /// keeping::varying.
  context_slot context;
  /// keeping::uniform: position among the extra parameters and results.
  unsigned position = 0;
};

/// A work-item function whose barriers are ends of blocks, and whose live values are in variables.
struct cut_kernel {
  llvm::Function& work_item;
  kernel_attributes attributes;
  /// Of each region, the first block.
  llvm::SmallVector<llvm::BasicBlock*> starts = {};
  /// Calls at the ends of blocks; the first one belongs to region 1.
  llvm::SmallVector<llvm::CallInst*> barriers = {};
  llvm::SmallVector<kept_value> values = {};
  /// Private variables that regions share.
  llvm::SmallVector<std::pair<llvm::AllocaInst*, context_slot>> variables = {};
  /// Terminators at which work-items may part.
  llvm::SmallVector<const llvm::Instruction*> divergent = {};
  llvm::SmallVector<llvm::Type*> uniform_types = {};
  /// What regions return: the number of the next one, and the uniform values.
  llvm::StructType* result_type = nullptr;
  /// Where each work-item stores the number of its next region, if they may have different ones.
  std::optional<context_slot> resume = std::nullopt;

  unsigned end_number() const { return unsigned(starts.size()); }
};

/// Nothing if a work-item goes on behind the call.
std::optional<suspension> suspension_at(const llvm::CallInst& call);

/// i1 is kept as a byte, which vectorises.
llvm::Type* stored_type(llvm::Type* type);

/// The function of a region, which is a clone of its part of the kernel, and where it leads.
region form_region(const cut_kernel& kernel, unsigned number);

} // namespace falx::jit
