// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/IntrinsicInst.h>

namespace falx::jit::simd {

/// A call of llvm.masked.load, store, gather or scatter, taken apart.
struct masked_access {
  explicit masked_access(llvm::IntrinsicInst& call);

  /// It is a masked access that the target has no instruction for: lane by lane.
  bool is_taken_apart(const llvm::TargetTransformInfo& target) const;
  /// And its mask is no constant: LLVM would make a branch for each lane.
  bool would_branch(const llvm::TargetTransformInfo& target) const;

  llvm::IntrinsicInst& call;
  bool is_load = false;
  /// A gather or scatter.
  bool is_scattered = false;
  /// Null: the call is no masked access of a vector whose length is known.
  llvm::FixedVectorType* type = nullptr;
  /// The operand that is the address or addresses, whose alignment the call has for a parameter's.
  unsigned address = 0;
  llvm::Align alignment;
  llvm::Value* at = nullptr;
  llvm::Value* mask = nullptr;
};

} // namespace falx::jit::simd
