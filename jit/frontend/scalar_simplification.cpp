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
#include "captured_state.hpp"
#include "inlining.hpp"
#include "kernel_attributes.hpp"
#include "pipeline/pass_runner.hpp"
#include "vectorizer/special/masked_differences.hpp"
#include "wide_indices.hpp"

#include <llvm/Transforms/IPO/AlwaysInliner.h>
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
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>

using namespace llvm;

namespace falx::jit {

/// Per function before inlining: small callees make inlining cheap.
static FunctionPassManager before_inlining() {
  FunctionPassManager passes;
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(EarlyCSEPass());
  // Loops over dimensions, of which there often is one: until they go, ids stay in memory.
  passes.addPass(createFunctionToLoopPassAdaptor(LoopDeletionPass()));
  passes.addPass(SimplifyCFGPass());
  // What references promise of alignment is forgotten with the parameter.
  passes.addPass(InferAlignmentPass());
  return passes;
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
  passes.addPass(SimplifyCFGPass());
  passes.addPass(ADCEPass());
  passes.addPass(LoopSimplifyPass());
  passes.addPass(LCSSAPass());
  return passes;
}

void fold_constants(Function& work_item) {
  FunctionPassManager passes;
  passes.addPass(SCCPPass());
  passes.addPass(SimplifyCFGPass());
  passes.addPass(LoopSimplifyPass());
  pass_runner().run(std::move(passes), work_item);
}

void simplify_once_more(Function& kernel) {
  FunctionPassManager passes = promotion();
  passes.addPass(after_promotion());
  pass_runner().run(std::move(passes), kernel);
}

/// The first builtin call outside of the kernel, if any.
static Error check_everything_is_inlined(Module& module, const Function* kernel) {
  for (Function& builtin : module) {
    if (!builtin.isDeclaration() || !builtin.getName().starts_with("__falx_"))
      continue;
    for (User* user : builtin.users()) {
      auto* call = dyn_cast<CallInst>(user);
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

Error inline_and_simplify(Module& module, TargetMachine* machine,
                          function_ref<void(Function&)> before_promotion) {
  Function* kernel = find_kernel(module);
  // Visible from outside, it survives the removal of what is unused.
  kernel->removeFnAttr(Attribute::AlwaysInline);
  kernel->setLinkage(GlobalValue::ExternalLinkage);

  pass_runner runner(machine);

  ModulePassManager before;
  before.addPass(createModuleToFunctionPassAdaptor(before_inlining()));
  runner.run(std::move(before), module);
  choose_what_to_inline(module);
  ModulePassManager inlining;
  inlining.addPass(AlwaysInlinerPass(/*InsertLifetime=*/true));
  inlining.addPass(GlobalDCEPass());
  runner.run(std::move(inlining), module);
  if (before_promotion) {
    before_promotion(*kernel);
    runner.invalidate_analyses();
  }
  ModulePassManager promoting;
  promoting.addPass(createModuleToFunctionPassAdaptor(promotion()));
  runner.run(std::move(promoting), module);
  Expected<bool> has_copy = keep_captured_state_private(*kernel);
  if (!has_copy)
    return has_copy.takeError();
  if (*has_copy) {
    if (before_promotion)
      before_promotion(*kernel);
    runner.invalidate_analyses();
    runner.run(promotion(), *kernel);
  }
  ModulePassManager passes;
  passes.addPass(createModuleToFunctionPassAdaptor(after_promotion()));
  runner.run(std::move(passes), module);
  return check_everything_is_inlined(module, kernel);
}

} // namespace falx::jit
