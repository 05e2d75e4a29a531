// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before, on a processor without masked instructions:
//   %a = call <64 x i32> @llvm.masked.load.v64i32.p0(ptr align 4 %p, <64 x i1> %m, <64 x i32> %rest)
// After:
//   %a = call <64 x i32> @falx.masked_load(ptr %p, <64 x i1> %m, <64 x i32> %rest)
//
// Such an access is an access per lane (vectorizer/memory/branchless_accesses.cpp; LLVM would make a branch
// and a block of each, too). Of a function with group algorithms over sub-groups of 64, 190 accesses are
// 12,000, which take five seconds to compile, and took the register allocator 30 when they were blocks. Where
// lanes are few, an access per lane in place is what runs fastest.

#include "pipeline/budgets.hpp"
#include "pipeline/replacements.hpp"
#include "vectorizer/memory/masked_access.hpp"
#include "workarounds.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace falx::jit {

namespace {

struct access_form {
  Function* intrinsic;
  Align alignment;
  bool operator==(const access_form&) const = default;
};

} // namespace

static Function* outlined(const access_form& form, const simd::masked_access& access) {
  Module& module = *form.intrinsic->getParent();
  const Function& user = *access.call.getFunction();
  auto* function = Function::Create(form.intrinsic->getFunctionType(), GlobalValue::InternalLinkage,
                                    access.is_load ? "falx.masked_load" : "falx.masked_store", module);
  for (const StringRef name : {"target-cpu", "target-features"})
    if (user.hasFnAttribute(name))
      function->addFnAttr(user.getFnAttribute(name));
  function->addFnAttr(Attribute::NoInline);
  function->addFnAttr(Attribute::NoUnwind);
  IRBuilder<> builder(BasicBlock::Create(module.getContext(), "entry", function));
  SmallVector<Value*> arguments;
  for (Argument& argument : function->args())
    arguments.push_back(&argument);
  CallInst* call = builder.CreateCall(form.intrinsic, arguments);
  call->addParamAttr(access.address, Attribute::getWithAlignment(module.getContext(), form.alignment));
  if (call->getType()->isVoidTy())
    builder.CreateRetVoid();
  else
    builder.CreateRet(call);
  return function;
}

PreservedAnalyses outline_masked_accesses::run(Module& module, ModuleAnalysisManager& analyses) {
  FunctionAnalysisManager& targets =
      analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
  SmallVector<simd::masked_access> accesses;
  unsigned lanes = 0;
  for (Function& function : module) {
    if (function.isDeclaration())
      continue;
    const auto& target = targets.getResult<TargetIRAnalysis>(function);
    for (Instruction& instruction : instructions(function))
      if (auto* call = dyn_cast<IntrinsicInst>(&instruction))
        if (const simd::masked_access access(*call); access.would_branch(target)) {
          accesses.push_back(access);
          lanes += access.type->getNumElements();
        }
  }
  if (lanes <= MOST_ACCESSES_OF_LANES)
    return PreservedAnalyses::all();
  SmallVector<std::pair<access_form, Function*>> functions;
  for (const simd::masked_access& access : accesses) {
    const access_form form = {access.call.getCalledFunction(), access.alignment};
    auto* known = find_if(functions, [&](const auto& pair) { return pair.first == form; });
    if (known == functions.end()) {
      functions.emplace_back(form, outlined(form, access));
      known = std::prev(functions.end());
    }
    IRBuilder<> builder(&access.call);
    replace_instruction(access.call,
                        builder.CreateCall(known->second, SmallVector<Value*>(access.call.args())));
  }
  return PreservedAnalyses::none();
}

} // namespace falx::jit
