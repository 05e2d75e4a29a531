// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:                                  After:
//   %a = zext nneg i32 %i to i64             %a = zext nneg i32 %i to i64
//   %p = getelementptr float, ptr %x, i64 %a %p = getelementptr float, ptr %x, i64 %a
//   %b = sext i32 %i to i64
//   %q = getelementptr float, ptr %x, i64 %b %q = getelementptr float, ptr %x, i64 %a
//
// LLVM takes constants out of the index of a neighbour, i + 1, and extends the rest by its sign. With both
// extensions the array has two bases in two registers, and the assembler does not see that [%p] and [%q + 4]
// are different places.

#include "passes.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <utility>

using namespace llvm;

namespace falx::jit {

PreservedAnalyses unite_index_extensions::run(Function& function, FunctionAnalysisManager& analyses) {
  const auto& dominators = analyses.getResult<DominatorTreeAnalysis>(function);
  DenseMap<std::pair<Value*, Type*>, SmallVector<CastInst*, 2>> extensions;
  for (Instruction& instruction : instructions(function))
    if (isa<SExtInst>(instruction) || (isa<ZExtInst>(instruction) && instruction.hasNonNeg()))
      extensions[{instruction.getOperand(0), instruction.getType()}].push_back(cast<CastInst>(&instruction));
  for (auto& [operand, alike] : extensions)
    for (CastInst*& extension : alike) {
      const auto* same = find_if(alike, [&](const CastInst* other) {
        return other != nullptr && other != extension && dominators.dominates(other, extension);
      });
      if (same == alike.end())
        continue;
      extension->replaceAllUsesWith(*same);
      std::exchange(extension, nullptr)->eraseFromParent();
    }
  return PreservedAnalyses::none();
}

} // namespace falx::jit
