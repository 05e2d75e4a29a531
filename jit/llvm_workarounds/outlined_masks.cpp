// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before, on a processor without masked instructions:
//   %a = call <64 x i32> @llvm.masked.load.v64i32.p0(ptr align 4 %p, <64 x i1> %m, <64 x i32> %rest)
// After:
//   %a = call <64 x i32> @falx.masked_load(ptr %p, <64 x i1> %m, <64 x i32> %rest)
//
// Code generation takes such an access apart into a branch and a block per lane. Of a function with group
// algorithms over sub-groups of 64, 190 accesses became 12,000 blocks, for which the register allocator took
// 30 seconds. Where lanes are few, a branch per lane in place is what runs fastest.

#include "pipeline/budgets.hpp"
#include "pipeline/replacements.hpp"
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

struct masked_access {
  IntrinsicInst* call;
  access_form form;
};

} // namespace

static constexpr unsigned address_operand(Intrinsic::ID id) {
  return id == Intrinsic::masked_load ? 0 : 1;
}

/// Null if the instruction is none, or is one for the target.
static const FixedVectorType* type_of_taken_apart(const IntrinsicInst& call,
                                                  const TargetTransformInfo& target) {
  const Intrinsic::ID id = call.getIntrinsicID();
  if (id != Intrinsic::masked_load && id != Intrinsic::masked_store)
    return nullptr;
  const bool is_load = id == Intrinsic::masked_load;
  auto* type = dyn_cast<FixedVectorType>(is_load ? call.getType() : call.getArgOperand(0)->getType());
  const Value* mask = call.getArgOperand(is_load ? 1 : 2);
  if (type == nullptr || isa<Constant>(mask))
    return nullptr;
  const Align alignment = call.getParamAlign(address_operand(id)).valueOrOne();
  const unsigned space = call.getArgOperand(address_operand(id))->getType()->getPointerAddressSpace();
  const bool is_legal = is_load ? target.isLegalMaskedLoad(type, alignment, space)
                                : target.isLegalMaskedStore(type, alignment, space);
  return is_legal ? nullptr : type;
}

static Function* outlined(const access_form& form, const Function& user) {
  Module& module = *form.intrinsic->getParent();
  const unsigned address = address_operand(form.intrinsic->getIntrinsicID());
  auto* function = Function::Create(form.intrinsic->getFunctionType(), GlobalValue::InternalLinkage,
                                    address == 0 ? "falx.masked_load" : "falx.masked_store", module);
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
  call->addParamAttr(address, Attribute::getWithAlignment(module.getContext(), form.alignment));
  if (call->getType()->isVoidTy())
    builder.CreateRetVoid();
  else
    builder.CreateRet(call);
  return function;
}

PreservedAnalyses outline_masked_accesses::run(Module& module, ModuleAnalysisManager& analyses) {
  FunctionAnalysisManager& targets =
      analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
  SmallVector<masked_access> accesses;
  unsigned blocks = 0;
  for (Function& function : module) {
    if (function.isDeclaration())
      continue;
    const auto& target = targets.getResult<TargetIRAnalysis>(function);
    for (Instruction& instruction : instructions(function)) {
      auto* call = dyn_cast<IntrinsicInst>(&instruction);
      const FixedVectorType* type = call != nullptr ? type_of_taken_apart(*call, target) : nullptr;
      if (type == nullptr)
        continue;
      const Align alignment = call->getParamAlign(address_operand(call->getIntrinsicID())).valueOrOne();
      accesses.push_back({call, {call->getCalledFunction(), alignment}});
      blocks += type->getNumElements();
    }
  }
  if (blocks <= MOST_BLOCKS_OF_LANES)
    return PreservedAnalyses::all();
  SmallVector<std::pair<access_form, Function*>> functions;
  for (const masked_access& access : accesses) {
    auto* known = find_if(functions, [&](const auto& pair) { return pair.first == access.form; });
    if (known == functions.end()) {
      functions.emplace_back(access.form, outlined(access.form, *access.call->getFunction()));
      known = std::prev(functions.end());
    }
    IRBuilder<> builder(access.call);
    CallInst* call = builder.CreateCall(known->second, SmallVector<Value*>(access.call->args()));
    replace_instruction(*access.call, call);
  }
  return PreservedAnalyses::none();
}

} // namespace falx::jit
