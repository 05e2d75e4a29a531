// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:                                            After:
//   call void @__assert_fail(ptr %expression,          call void @__assertfail(ptr %expression, ptr %file,
//       ptr %file, i32 %line, ptr %function)               i32 %line, ptr %function, i64 1)
//   unreachable                                        unreachable
//   call void @abort()                                 call void @llvm.trap()
//   unreachable                                        unreachable

#include "library_calls.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace falx::jit {

template <class Replace>
static void replace_calls(Module& module, StringRef name, Replace replace) {
  Function* function = module.getFunction(name);
  if (function == nullptr || !function->isDeclaration())
    return;
  for (User* user : make_early_inc_range(function->users())) {
    auto* call = dyn_cast<CallInst>(user);
    if (call == nullptr || call->getCalledFunction() != function)
      continue;
    IRBuilder<> builder(call);
    replace(*call, builder);
    if (!call->use_empty())
      call->replaceAllUsesWith(PoisonValue::get(call->getType()));
    call->eraseFromParent();
  }
  if (function->use_empty())
    function->eraseFromParent();
}

void lower_library_calls(Module& module) {
  replace_calls(module, "__assert_fail", [&](CallInst& call, IRBuilder<>& builder) {
    Type* pointer = builder.getPtrTy();
    FunctionCallee report = module.getOrInsertFunction("__assertfail", builder.getVoidTy(), pointer, pointer,
                                                       builder.getInt32Ty(), pointer, builder.getInt64Ty());
    builder.CreateCall(report, {call.getArgOperand(0), call.getArgOperand(1), call.getArgOperand(2),
                                call.getArgOperand(3), builder.getInt64(1)});
  });
  for (StringRef name : {"abort", "exit", "_Exit", "quick_exit", "__assert_fail_base", "__chk_fail"})
    replace_calls(module, name,
                  [](CallInst&, IRBuilder<>& builder) { builder.CreateIntrinsic(Intrinsic::trap, {}); });
}

} // namespace falx::jit
