// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "frontend/kernel_attributes.hpp"

#include <llvm/IR/IRBuilder.h>

namespace falx::jit {

/// Where a work-item stands, from the special registers of PTX and the launch's arguments. Each function adds
/// instructions at the builder's place; what is there twice is left to LLVM. Axis x is 0.
class index_space {
public:
  index_space(llvm::Function& entry, const kernel_attributes& attributes)
      : entry_(entry), attributes_(attributes) {}

  /// 64-bit integer that the builtin __falx_<what>_<axis> gives; null if there is no such builtin.
  llvm::Value* value(llvm::StringRef what, unsigned axis, llvm::IRBuilder<>& builder);

  /// 32-bit integers: the thread in its block, and the block's extent.
  llvm::Value* thread(unsigned axis, llvm::IRBuilder<>& builder);
  llvm::Value* block_extent(unsigned axis, llvm::IRBuilder<>& builder);
  /// 32-bit integers over all axes.
  llvm::Value* linear_thread(llvm::IRBuilder<>& builder);
  llvm::Value* block_size(llvm::IRBuilder<>& builder);

  /// The grid of kinds range and single_task covers the range and more: true for a thread that is no
  /// work-item; null if there are none.
  llvm::Value* outside_of_range(llvm::IRBuilder<>& builder);

private:
  llvm::Type* index_type(llvm::IRBuilder<>& builder) const;
  llvm::Value* widen(llvm::Value* value, llvm::IRBuilder<>& builder) const;
  llvm::Value* launch_argument(std::size_t offset, unsigned axis, llvm::IRBuilder<>& builder);
  llvm::Value* global_range(unsigned axis, llvm::IRBuilder<>& builder);
  llvm::Value* global_offset(unsigned axis, llvm::IRBuilder<>& builder);
  llvm::Value* block_count(unsigned axis, llvm::IRBuilder<>& builder);
  llvm::Value* block(unsigned axis, llvm::IRBuilder<>& builder);
  llvm::Value* item(unsigned axis, llvm::IRBuilder<>& builder);
  bool is_used(unsigned axis) const { return axis < attributes_.dimensions; }

  llvm::Function& entry_;
  const kernel_attributes& attributes_;
};

} // namespace falx::jit
