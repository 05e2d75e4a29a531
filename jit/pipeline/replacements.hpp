// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace falx::jit {

/// Puts \p value in the place of \p old, whose name it takes if it has none of its own.
inline void replace_instruction(llvm::Instruction& old, llvm::Value* value) {
  llvm::BasicBlock::iterator place = old.getIterator();
  llvm::ReplaceInstWithValue(place, value);
}

} // namespace falx::jit
