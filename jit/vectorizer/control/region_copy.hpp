// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/BasicBlock.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include <cstddef>
#include <optional>

namespace falx::jit::simd {

/// Blocks between one block, by which alone they are entered, and another, to which alone they lead.
struct code_region {
  /// The first is the entry; the end is none of them.
  llvm::SmallVector<llvm::BasicBlock*> blocks;
  llvm::BasicBlock* end = nullptr;

  std::size_t size() const;
};

/// Those from \p entry to \p end; nothing if others lead into them, or they lead elsewhere.
std::optional<code_region> region_between(llvm::BasicBlock& entry, llvm::BasicBlock& end);

/// Copies blocks, with \p suffix behind their names; nothing leads to the copies yet. \p copies are what
/// stands for each value and block.
llvm::SmallVector<llvm::BasicBlock*> copy_blocks(llvm::ArrayRef<llvm::BasicBlock*> blocks,
                                                 const llvm::Twine& suffix, llvm::ValueToValueMapTy& copies);
/// What phis of \p end get from the blocks they get from their copies, too, if these still lead there.
void lead_to_end(llvm::ArrayRef<llvm::BasicBlock*> blocks, llvm::BasicBlock& end,
                 const llvm::ValueToValueMapTy& copies);

/// Copies the region, with \p suffix behind its names. \p before, which jumps to the region, goes to the copy
/// where \p condition holds. What either computes meets in phis behind the end. \p copies are what stands for
/// each value and block.
void copy_region(const code_region& region, llvm::BasicBlock& before, llvm::Value& condition,
                 const llvm::Twine& suffix, llvm::ValueToValueMapTy& copies);

} // namespace falx::jit::simd
