// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "index_space.hpp"

#include <llvm/IR/Instructions.h>

namespace falx::jit {

/// A sub-group is a warp, of which ptx_builtins.c has shuffles, votes and reductions; here is what depends on
/// the work-group's size. The last sub-group of a work-group may have fewer work-items.
class warp_functions {
public:
  warp_functions(index_space& space, const kernel_attributes& attributes)
      : space_(space), attributes_(attributes) {}

  /// The result of __falx_sub_group_<what>, or null if there is no such builtin.
  llvm::Value* value(llvm::StringRef what, llvm::IRBuilder<>& builder);
  void barrier(llvm::IRBuilder<>& builder);
  /// Of some of the sub-group's work-items, whose numbers are bits.
  void barrier_of(llvm::Value* members, llvm::IRBuilder<>& builder);

private:
  llvm::Value* id(llvm::IRBuilder<>& builder);
  llvm::Value* size(llvm::IRBuilder<>& builder);
  llvm::Value* mask(llvm::IRBuilder<>& builder);
  bool is_always_full() const;

  index_space& space_;
  const kernel_attributes& attributes_;
};

} // namespace falx::jit
