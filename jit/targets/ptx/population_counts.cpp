// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:                                        After:
//   %x = phi i64 [ %given, %before ], [ %rest, %loop ]   %count = call i64 @llvm.ctpop.i64(i64 %given)
//   %n = phi i64 [ 0, %before ], [ %more, %loop ]
//   %more = add i64 %n, 1
//   %less = add i64 %x, -1
//   %rest = and i64 %x, %less
//   %again = icmp ne i64 %rest, 0
//   br i1 %again, label %loop, label %end
//
// LLVM's LoopIdiomRecognize does it for processors that count bits fast; LLVM's costs of NVPTX do not say
// that GPUs do.

#include "passes.hpp"

#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/TargetTransformInfoImpl.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Scalar/LoopDeletion.h>
#include <llvm/Transforms/Scalar/LoopIdiomRecognize.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>

#include <memory>

using namespace llvm;

namespace falx::jit {
namespace {

class costs_of_counting final : public TargetTransformInfoImplCRTPBase<costs_of_counting> {
public:
  explicit costs_of_counting(const DataLayout& layout) : TargetTransformInfoImplCRTPBase(layout) {}
  TTI::PopcntSupportKind getPopcntSupport(unsigned) const override { return TTI::PSK_FastHardware; }
};

/// LoopIdiomRecognize with these costs.
struct recognition : LoopIdiomRecognizePass {
  PreservedAnalyses run(Loop& loop, LoopAnalysisManager& of_loops, LoopStandardAnalysisResults& results,
                        LPMUpdater& updater) {
    const Function& function = *loop.getHeader()->getParent();
    TargetTransformInfo costs(std::make_unique<costs_of_counting>(function.getDataLayout()));
    LoopStandardAnalysisResults with_costs = {results.AA, results.AC,  results.DT, results.LI,
                                              results.SE, results.TLI, costs,      results.MSSA};
    return LoopIdiomRecognizePass::run(loop, of_loops, with_costs, updater);
  }
};

} // namespace

PreservedAnalyses recognize_population_counts::run(Function& function, FunctionAnalysisManager& analyses) {
  LoopPassManager passes;
  passes.addPass(recognition());
  passes.addPass(LoopDeletionPass());
  return createFunctionToLoopPassAdaptor(std::move(passes)).run(function, analyses);
}

} // namespace falx::jit
