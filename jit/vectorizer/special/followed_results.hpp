// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "barriers/regions.hpp"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Function.h>

#include <optional>

namespace falx::jit {

/// What \p results, a function without effects, returns for \p arguments: the elements of a structure, or one
/// value. What is not constant is computed at the end of \p block. Nothing if a branch depends on what is not
/// constant, or if there are too many.
std::optional<llvm::SmallVector<llvm::Value*>>
follow_results(llvm::Function& results, llvm::ArrayRef<llvm::Value*> arguments, llvm::BasicBlock& block);

/// Which of its versions a group runs of the region \p number, the last one being the region as it was.
/// Nothing if that depends on more than constants.
std::optional<llvm::BitVector> reached_versions(llvm::ArrayRef<region> regions, unsigned number);

} // namespace falx::jit
