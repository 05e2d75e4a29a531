// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/PassManager.h>

namespace falx::jit {

/// Has relaxed atomic minima, maxima, or and and look first whether they change anything
/// (unchanged_atomics.cpp): most of a reduction's do not, and reading takes the cache line from nobody. To be
/// run when everything is in its final place.
class skip_unchanged_atomics : public llvm::PassInfoMixin<skip_unchanged_atomics> {
public:
  /// Where a target has instructions for integers that tell nobody what was there, these need no look.
  enum class numbers { all, floating };
  explicit skip_unchanged_atomics(numbers which) : which_(which) {}
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

private:
  numbers which_;
};

} // namespace falx::jit
