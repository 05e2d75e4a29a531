// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:                                          After:
//   %p = phi ptr [ %x, %entry ], [ %next, %loop ]    %p = phi ptr [ %x, %entry ], [ %next, %loop ]
//   %p1 = getelementptr i8, ptr %p, i64 %s           %p1 = getelementptr i8, ptr %p, i64 %s
//   %p2 = getelementptr i8, ptr %p, i64 %twice       %p2 = getelementptr i8, ptr %p1, i64 %s
//   %p3 = getelementptr i8, ptr %p, i64 %thrice      %p3 = getelementptr i8, ptr %p2, i64 %s
//   %next = getelementptr i8, ptr %p, i64 %all       %next = getelementptr i8, ptr %p3, i64 %s
//
// A loop that walks down a column and was copied has LLVM's loop strength reduction compute each copy's
// address from the first one, by a multiple of the stride that lives on while the loop runs. Each is a pair
// of registers, in loops in which the assembler makes copies of its own and has loads under way in as many
// registers as there are: in HeCBench's page-rank, its rest unrolled, it had five before it waited, of
// sixteen, and NVCC, which keeps the stride alone, twelve.

#include "code_generation.hpp"
#include "passes.hpp"
#include "pipeline/replacements.hpp"

#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/InitializePasses.h>
#include <llvm/Pass.h>
#include <llvm/Transforms/Utils/Local.h>

using namespace llvm;

namespace falx::jit {
namespace {

struct stride_chaining {
  ScalarEvolution& evolution;
  DominatorTree& dominators;
  const DataLayout& layout;

  /// The addresses in \p loop that are \p first and a distance that only the launch knows, of the pointer's
  /// size, as narrower ones are extended each by itself. Those that dominate others are in front of them.
  SmallVector<GetElementPtrInst*> addresses_from(const PHINode& first, const Loop& loop) const {
    SmallVector<GetElementPtrInst*> found;
    for (User* user : const_cast<PHINode&>(first).users())
      if (auto* address = dyn_cast<GetElementPtrInst>(user);
          address != nullptr && loop.contains(address) && address->getPointerOperand() == &first &&
          address->getNumIndices() == 1 && address->getSourceElementType()->isIntegerTy(8) &&
          !isa<Constant>(address->getOperand(1)) && loop.isLoopInvariant(address->getOperand(1)) &&
          address->getOperand(1)->getType() == layout.getIndexType(address->getType()))
        found.push_back(address);
    const auto place = [&](const Instruction* of) {
      return dominators.getNode(of->getParent())->getDFSNumIn();
    };
    sort(found, [&](const Instruction* a, const Instruction* b) {
      return a->getParent() == b->getParent() ? a->comesBefore(b) : place(a) < place(b);
    });
    return found;
  }

  /// Makes each address of the one a stride before it.
  bool chain(ArrayRef<GetElementPtrInst*> addresses) const {
    bool changes = false;
    GetElementPtrInst* last = addresses.front();
    Value* const stride = last->getOperand(1);
    const SCEV* distance = evolution.getSCEV(stride);
    for (GetElementPtrInst* address : addresses.drop_front()) {
      Value* const old = address->getOperand(1);
      if (old->getType() != stride->getType() || !dominators.dominates(last, address))
        continue;
      const SCEV* next = evolution.getSCEV(old);
      if (evolution.getMinusSCEV(next, distance) != evolution.getSCEV(stride))
        continue;
      last->setNoWrapFlags(GEPNoWrapFlags::none()); // it may not have been used
      address->setOperand(0, last);
      address->setOperand(1, stride);
      address->setNoWrapFlags(GEPNoWrapFlags::none());
      RecursivelyDeleteTriviallyDeadInstructions(old);
      last = address;
      distance = next;
      changes = true;
    }
    return changes;
  }

  bool chain_all(const LoopInfo& loops) const {
    bool changes = false;
    dominators.updateDFSNumbers();
    for (const Loop* loop : loops.getLoopsInPreorder())
      if (loop->isInnermost())
        for (const PHINode& first : loop->getHeader()->phis())
          if (first.getType()->isPointerTy())
            if (const SmallVector<GetElementPtrInst*> addresses = addresses_from(first, *loop);
                !addresses.empty())
              changes |= chain(addresses);
    return changes;
  }
};

/// Behind loop strength reduction, which is one of the code generator's passes.
struct chain_strides_of_reduced_loops : FunctionPass {
  static char ID;

  chain_strides_of_reduced_loops() : FunctionPass(ID) {}

  void getAnalysisUsage(AnalysisUsage& uses) const override {
    uses.addRequired<DominatorTreeWrapperPass>();
    uses.addRequired<LoopInfoWrapperPass>();
    uses.addRequired<ScalarEvolutionWrapperPass>();
    uses.setPreservesCFG();
  }

  bool runOnFunction(Function& function) override {
    const stride_chaining chaining{getAnalysis<ScalarEvolutionWrapperPass>().getSE(),
                                   getAnalysis<DominatorTreeWrapperPass>().getDomTree(),
                                   function.getDataLayout()};
    return chaining.chain_all(getAnalysis<LoopInfoWrapperPass>().getLoopInfo());
  }
};

char chain_strides_of_reduced_loops::ID = 0;

} // namespace

PreservedAnalyses chain_strides::run(Function& function, FunctionAnalysisManager& analyses) {
  const stride_chaining chaining{analyses.getResult<ScalarEvolutionAnalysis>(function),
                                 analyses.getResult<DominatorTreeAnalysis>(function),
                                 function.getDataLayout()};
  return preserved_by_replacements(chaining.chain_all(analyses.getResult<LoopAnalysis>(function)));
}

FunctionPass* create_stride_chaining() {
  return std::make_unique<chain_strides_of_reduced_loops>().release();
}

} // namespace falx::jit
