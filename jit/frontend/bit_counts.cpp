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
// LLVM's LoopIdiomRecognize does it for processors that count bits fast. LLVM's costs of NVPTX do not say
// that GPUs do, and those of CPUs are about one number, where lanes that loop until the last has ended lose
// to any way to count.

#include "loop_passes.hpp"

#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/TargetTransformInfoImpl.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Scalar/LoopIdiomRecognize.h>

#include <memory>

using namespace llvm;

namespace falx::jit {
namespace {

class costs_of_counting final : public TargetTransformInfoImplCRTPBase<costs_of_counting> {
public:
  explicit costs_of_counting(const DataLayout& layout) : TargetTransformInfoImplCRTPBase(layout) {}
  TTI::PopcntSupportKind getPopcntSupport(unsigned) const override { return TTI::PSK_FastHardware; }
};

} // namespace

PreservedAnalyses recognize_bit_counts::run(Loop& loop, LoopAnalysisManager& of_loops,
                                            LoopStandardAnalysisResults& results, LPMUpdater& updater) {
  const Module& module = *loop.getHeader()->getModule();
  TargetTransformInfo costs(std::make_unique<costs_of_counting>(module.getDataLayout()));
  // Without functions that set and copy memory: a lane cannot call them.
  TargetLibraryInfoImpl no_functions(module.getTargetTriple());
  no_functions.disableAllFunctions();
  TargetLibraryInfo library(no_functions);
  LoopStandardAnalysisResults with_costs = {results.AA, results.AC, results.DT, results.LI,
                                            results.SE, library,    costs,      results.MSSA};
  return LoopIdiomRecognizePass().run(loop, of_loops, with_costs, updater);
}

} // namespace falx::jit
