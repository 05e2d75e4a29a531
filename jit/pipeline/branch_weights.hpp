// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Instructions.h>
#include <llvm/IR/MDBuilder.h>

namespace falx::jit {

/// \p branch hardly ever goes its first way, or its second one.
inline void set_unlikely(llvm::BranchInst& branch, bool is_first_way) {
  llvm::MDBuilder metadata(branch.getContext());
  branch.setMetadata(llvm::LLVMContext::MD_prof, is_first_way ? metadata.createUnlikelyBranchWeights()
                                                              : metadata.createLikelyBranchWeights());
}

} // namespace falx::jit
