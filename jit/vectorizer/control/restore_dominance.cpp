// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:                                        After:
//   head:   br i1 %any, label %a, label %b         head:   br i1 %any, label %a, label %b
//   a:      %x = fadd <4 x float> …                a:      %x = fadd <4 x float> …
//           br label %b                                    br label %b
//   b:      %y = fmul <4 x float> %x, %m           b:      %x.0 = phi [ %x, %a ], [ zeroinitializer, %head ]
//                                                          %y = fmul <4 x float> %x.0, %m
//
// Not poison: a branch on it in a block that runs without lanes would be undefined. In a loop the value of
// the iteration before is not kept, which would only cost registers.

#include "linearization.hpp"
#include "pipeline/invariants.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/SSAUpdater.h>

#include <cassert>

using namespace llvm;

namespace falx::jit::simd {

void restore_dominance(Function& function) {
  const DominatorTree dominators(function);
  const LoopInfo loops(dominators);
  SmallVector<Instruction*> definitions;
  for (Instruction& instruction : instructions(function))
    if (any_of(instruction.uses(), [&](const Use& use) { return !dominators.dominates(&instruction, use); }))
      definitions.push_back(&instruction);
  for (Instruction* definition : definitions) {
    assert(definition->getParent() != &function.getEntryBlock() && "the entry dominates every use");
    assert(!definition->getType()->isTokenTy() && "tokens have no value for ways that bring none");
    SSAUpdater updater;
    updater.Initialize(definition->getType(), definition->getName());
    Constant* nothing = Constant::getNullValue(definition->getType());
    updater.AddAvailableValue(&function.getEntryBlock(), nothing);
    const Loop* loop = loops.getLoopFor(definition->getParent());
    if (loop != nullptr && loop->getHeader() != definition->getParent() &&
        all_of(definition->users(),
               [&](const User* user) { return loop->contains(cast<Instruction>(user)); }))
      updater.AddAvailableValue(loop->getHeader(), nothing);
    updater.AddAvailableValue(definition->getParent(), definition);
    SmallVector<Use*> uses;
    for (Use& use : definition->uses())
      if (!dominators.dominates(definition, use))
        uses.push_back(&use);
    for (Use* use : uses)
      updater.RewriteUse(*use);
  }
  assert(all_dominate(function, dominators) && "a use is reached without its definition");
}

} // namespace falx::jit::simd
