// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "index_space.hpp"

#include <llvm/IR/Instructions.h>

namespace falx::jit {

/// A sub-group is a warp: the builtins of sub-groups as shuffles, votes and reductions of PTX. The last
/// sub-group of a work-group may have fewer work-items.
class warp_functions {
public:
  warp_functions(index_space& space, const kernel_attributes& attributes)
      : space_(space), attributes_(attributes) {}

  /// The result of __falx_sub_group_<what>, or null if there is no such builtin. \p call is not changed.
  llvm::Value* value(llvm::StringRef what, const llvm::CallInst& call, llvm::IRBuilder<>& builder);
  void barrier(llvm::IRBuilder<>& builder);
  /// Of some of the sub-group's work-items, whose numbers are bits.
  void barrier_of(llvm::Value* members, llvm::IRBuilder<>& builder);

private:
  llvm::Value* id(llvm::IRBuilder<>& builder);
  llvm::Value* lane(llvm::IRBuilder<>& builder);
  llvm::Value* size(llvm::IRBuilder<>& builder);
  llvm::Value* members(llvm::IRBuilder<>& builder);
  bool is_always_full() const;
  llvm::Value* shuffle_word(llvm::Intrinsic::ID how, llvm::Value* word, llvm::Value* lane,
                            llvm::Value* members, llvm::IRBuilder<>& builder);
  llvm::Value* shuffle(llvm::Intrinsic::ID how, llvm::Value* value, llvm::Value* lane, llvm::Value* members,
                       llvm::IRBuilder<>& builder);
  llvm::Value* shuffle(llvm::StringRef how, const llvm::CallInst& call, llvm::IRBuilder<>& builder);
  llvm::Value* reduce(llvm::StringRef operation, llvm::Value* value, llvm::IRBuilder<>& builder);
  llvm::Value* reduce_by_redux(llvm::StringRef operation, llvm::Value* value, llvm::Value* members,
                               llvm::IRBuilder<>& builder);
  llvm::Value* value_of_members(llvm::StringRef what, const llvm::CallInst& call, llvm::IRBuilder<>& builder);

  index_space& space_;
  const kernel_attributes& attributes_;
};

} // namespace falx::jit
