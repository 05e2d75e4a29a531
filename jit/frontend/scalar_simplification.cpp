// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:                                        After:
//   define void @kernel(ptr %f) {                  define void @kernel(ptr %f) {
//     %item = alloca i64                             %id = call i64 @__falx_global_id_x()
//     %id = call i64 @__falx_global_id_x()           %p = load ptr, ptr %f
//     store i64 %id, ptr %item                       ...
//     call void @body(ptr %f, ptr %item)
//
// No other function that calls builtins is left after it.

#include "scalar_simplification.hpp"
#include "kernel_attributes.hpp"
#include "passes.hpp"
#include "pipeline/nested_passes.hpp"
#include "pipeline/pass_failures.hpp"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PassInstrumentation.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/InferAlignment.h>
#include <llvm/Transforms/Scalar/LoopDeletion.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/SCCP.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/ExtraPassManager.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>

using namespace llvm;

namespace falx::jit {

simplify_callees::simplify_callees() {
  with_branches_.addPass(SROAPass(SROAOptions::ModifyCFG));
  with_branches_.addPass(EarlyCSEPass());
  // Loops over dimensions, of which there often is one: until they go, ids stay in memory.
  with_branches_.addPass(createFunctionToLoopPassAdaptor(LoopDeletionPass()));
  with_branches_.addPass(SimplifyCFGPass());
  with_branches_.addPass(InferAlignmentPass());
  without_branches_.addPass(InferAlignmentPass());
}

PreservedAnalyses simplify_callees::run(Function& function, FunctionAnalysisManager& analyses) {
  if (function.size() > 1)
    return with_branches_.run(function, analyses);
  if (none_of(function.args(), [](const Argument& argument) { return argument.getParamAlign(); }))
    return PreservedAnalyses::all();
  return without_branches_.run(function, analyses);
}

/// Private variables to values; addresses keep their types.
static FunctionPassManager promotion() {
  FunctionPassManager passes;
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  return passes;
}

static FunctionPassManager after_promotion() {
  FunctionPassManager passes;
  passes.addPass(masked_differences());
  passes.addPass(wide_indices());
  passes.addPass(InstCombinePass());
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(remove_branches());
  passes.addPass(ADCEPass());
  passes.addPass(LoopSimplifyPass());
  passes.addPass(LCSSAPass());
  return passes;
}

PreservedAnalyses remove_branches::run(Function& function, FunctionAnalysisManager&) {
  FunctionAnalysisManager analyses;
  analyses.registerPass([] { return PassInstrumentationAnalysis(); });
  analyses.registerPass([] { return AssumptionAnalysis(); });
  analyses.registerPass([] { return DominatorTreeAnalysis(); });
  analyses.registerPass([] { return TargetIRAnalysis(); });
  // What it keeps it keeps here, not where others look.
  return SimplifyCFGPass().run(function, analyses).areAllPreserved() ? PreservedAnalyses::all()
                                                                     : PreservedAnalyses::none();
}

AnalysisKey simplify_again::Key;

PreservedAnalyses simplify_if_changed(Module& module, ModuleAnalysisManager& analyses,
                                      function_ref<Expected<bool>(Function&)> change) {
  PreservedAnalyses preserved = PreservedAnalyses::none();
  change_kernel(module, analyses, [&](Function& kernel, FunctionAnalysisManager& functions) -> Error {
    Expected<bool> has_changed = change(kernel);
    if (!has_changed)
      return has_changed.takeError();
    if (*has_changed) {
      functions.getResult<simplify_again>(kernel);
      preserved.preserve<simplify_again>();
      preserved.preserve<FunctionAnalysisManagerModuleProxy>();
    } else {
      preserved = PreservedAnalyses::all();
    }
    return Error::success();
  });
  return preserved;
}

void fold_constants::change(Function& work_item, FunctionAnalysisManager& analyses) {
  if (kernel_attributes::read(work_item).kind != kernel_kind::nd_range)
    return;
  FunctionPassManager passes;
  passes.addPass(SCCPPass());
  passes.addPass(SimplifyCFGPass());
  passes.addPass(LoopSimplifyPass());
  run_nested(std::move(passes), work_item, analyses);
}

/// The first builtin call outside of the kernel, if any.
static Error check(const Module& module, const Function* kernel) {
  for (const Function& builtin : module) {
    if (!builtin.isDeclaration() || !builtin.getName().starts_with("__falx_"))
      continue;
    for (const User* user : builtin.users()) {
      const auto* call = dyn_cast<CallInst>(user);
      if (call == nullptr || call->getCalledFunction() != &builtin)
        return failure("Kernel '" + kernel->getName() + "' takes the address of " + builtin.getName() +
                       ", which only can be called.");
      if (call->getFunction() != kernel)
        return failure("Function '" + call->getFunction()->getName() + "', called by kernel '" +
                       kernel->getName() + "', uses " + builtin.getName() +
                       " but cannot be inlined: it is recursive, variadic, or called through a pointer.");
    }
  }
  return Error::success();
}

PreservedAnalyses check_inlining::run(Module& module, ModuleAnalysisManager& analyses) {
  change_kernel(module, analyses,
                [&](const Function& kernel, FunctionAnalysisManager&) { return check(module, &kernel); });
  return PreservedAnalyses::all();
}

ModulePassManager callee_simplification() {
  ModulePassManager passes;
  passes.addPass(createModuleToFunctionPassAdaptor(simplify_callees()));
  return passes;
}

ModulePassManager kernel_simplification(function_ref<void(FunctionPassManager&)> prepare) {
  const auto promotion_of_kernel = [&] {
    FunctionPassManager passes;
    if (prepare)
      prepare(passes);
    passes.addPass(promotion());
    return passes;
  };
  ModulePassManager passes;
  passes.addPass(choose_what_to_inline());
  passes.addPass(inline_chosen());
  passes.addPass(GlobalDCEPass());
  passes.addPass(createModuleToFunctionPassAdaptor(promotion_of_kernel()));
  passes.addPass(fold_known_address_spaces());
  passes.addPass(keep_captured_state_private());
  ExtraFunctionPassManager<simplify_again> again;
  again.addPass(promotion_of_kernel());
  passes.addPass(createModuleToFunctionPassAdaptor(std::move(again)));
  passes.addPass(createModuleToFunctionPassAdaptor(after_promotion()));
  passes.addPass(check_inlining());
  return passes;
}

ModulePassManager scalar_simplification(function_ref<void(FunctionPassManager&)> prepare) {
  ModulePassManager passes = callee_simplification();
  passes.addPass(kernel_simplification(prepare));
  return passes;
}

ModulePassManager simplification_of_constants() {
  ExtraFunctionPassManager<simplify_again> again;
  again.addPass(promotion());
  again.addPass(after_promotion());
  ModulePassManager passes;
  passes.addPass(createModuleToFunctionPassAdaptor(std::move(again)));
  return passes;
}

} // namespace falx::jit
