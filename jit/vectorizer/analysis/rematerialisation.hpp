// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <functional>

namespace falx::jit {

/// Can \p value be computed anew, without side effects and with little work, from constants, parameters and
/// invariant memory, and from what \p is_there?
bool can_rematerialise(const llvm::Instruction& value,
                       llvm::function_ref<bool(const llvm::Instruction&)> is_there);

/// Emits values again where their originals are not: for another lane, as lane 0's scalar, in a row, in
/// another region or function. What can be simplified there is. Each value is made once, so the builder has
/// to stay where one of them dominates what uses it.
class rematerialiser {
public:
  /// What stands for a value in that place; null for one that is computed from its operands, or the same
  /// there: a constant, a parameter, the address of a private variable.
  using substitution = std::function<llvm::Value*(llvm::Value&)>;
  enum class flags {
    kept,
    /// What the original's flags say need not be so there.
    dropped,
  };
  rematerialiser(llvm::IRBuilderBase& builder, flags which, substitution stands_for = {})
      : builder_(builder), flags_(which), stands_for_(std::move(stands_for)) {}

  llvm::Value* emit(llvm::Value& value);
  /// Emits \p step alone, even if there is one. Of what computes vectors from operands that are scalars there
  /// it makes a scalar.
  llvm::Value* emit_again(llvm::Instruction& step);
  /// \p ours stands for \p value from here on.
  void set(llvm::Value& value, llvm::Value& ours) { made_[&value] = &ours; }

private:
  llvm::IRBuilderBase& builder_;
  flags flags_;
  substitution stands_for_;
  llvm::DenseMap<llvm::Value*, llvm::Value*> made_;
};

} // namespace falx::jit
