// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "vectorizer/analysis/uniformity.hpp"

#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

namespace falx::jit {

/// An SSA value that some region needs and an earlier one computed.
struct live_value {
  enum class keeping {
    /// Cheap to compute anew (can_rematerialise), perhaps from uniform values, which are alive there, too.
    rematerialised,
    /// The same for all work-items: one scalar per group.
    uniform,
    /// One slot per work-item.
    varying,
  };
  llvm::Instruction* value = nullptr;
  keeping how = keeping::varying;
  /// By region: needed when it starts.
  llvm::BitVector live_at;
};

/// Values that are alive at the first instruction of any of \p starts, blocks that follow barriers. Order is
/// that of the function. Without \p uniform none is kept as the group's.
llvm::SmallVector<live_value> find_live_values(llvm::Function& work_item,
                                               llvm::ArrayRef<llvm::BasicBlock*> starts,
                                               const uniformity* uniform);

/// Private variables whose contents may be needed behind a barrier: these need storage per work-item. Others
/// can stay on the stack of the thread that runs the group.
llvm::SmallVector<llvm::AllocaInst*> find_shared_variables(llvm::Function& work_item,
                                                           llvm::ArrayRef<llvm::BasicBlock*> starts);

} // namespace falx::jit
