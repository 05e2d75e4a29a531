// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "builtin_calls.hpp"
#include "kernel_attributes.hpp"

#include <llvm/IR/InstIterator.h>

using namespace llvm;

namespace falx::jit {

StringRef builtin_name(const Value& value) {
  const auto* call = dyn_cast<CallInst>(&value);
  const Function* callee = call != nullptr ? call->getCalledFunction() : nullptr;
  StringRef name = callee != nullptr ? callee->getName() : StringRef();
  return name.consume_front("__falx_") ? name : StringRef();
}

bool is_group_barrier(const Instruction& instruction) {
  return builtin_name(instruction) == "work_group_barrier";
}

bool have_group_barrier(ArrayRef<BasicBlock*> blocks) {
  return any_of(blocks, [](const BasicBlock* block) { return any_of(*block, is_group_barrier); });
}

SmallVector<CallInst*, 16> builtin_calls(Function& function) {
  SmallVector<CallInst*, 16> calls;
  for (Instruction& instruction : instructions(function))
    if (!builtin_name(instruction).empty())
      calls.push_back(cast<CallInst>(&instruction));
  return calls;
}

CallInst* call_function(IRBuilderBase& builder, const Twine& name, Type* result, ArrayRef<Value*> arguments) {
  const SmallVector<Type*> types(map_range(arguments, [](const Value* each) { return each->getType(); }));
  return builder.CreateCall(builder.GetInsertBlock()->getModule()->getOrInsertFunction(
                                name.str(), FunctionType::get(result, types, /*isVarArg=*/false)),
                            arguments);
}

void replace_builtin(CallInst& call, Value* result) {
  if (result != nullptr && result->getType()->isIntegerTy())
    result = IRBuilder<>(&call).CreateZExtOrTrunc(result, call.getType());
  if (result != nullptr)
    call.replaceAllUsesWith(result);
  call.eraseFromParent();
}

void replace_calls(Module& module, StringRef name,
                   function_ref<Value*(CallInst&, IRBuilder<>&)> replacement) {
  Function* function = module.getFunction(name);
  if (function == nullptr || !function->isDeclaration())
    return;
  for (User* user : make_early_inc_range(function->users()))
    if (auto* call = dyn_cast<CallInst>(user); call != nullptr && call->getCalledFunction() == function) {
      IRBuilder<> builder(call);
      replace_builtin(*call, replacement(*call, builder));
    }
  if (function->use_empty())
    function->eraseFromParent();
}

Error unknown_builtin(const CallInst& call) {
  return failure("Kernel '" + kernel_name(*call.getFunction()) + "' calls the unknown builtin " +
                 call.getCalledFunction()->getName() +
                 ": the program's headers and libfalx-jit.so are of different versions.");
}

StringRef kernel_name(const Function& function) {
  return function.getFnAttribute("falx-name").getValueAsString();
}

} // namespace falx::jit
