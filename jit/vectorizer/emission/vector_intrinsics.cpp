// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "vector_intrinsics.hpp"
#include "frontend/known_math.hpp"
#include "lane_values.hpp"
#include "vector_math.hpp"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace falx::jit::simd {

bool has_vector_form(const CallInst& call) {
  if (has_vector_math(call))
    return true;
  const auto* intrinsic = dyn_cast<IntrinsicInst>(&call);
  if (intrinsic == nullptr)
    return false;
  const Intrinsic::ID id = intrinsic->getIntrinsicID();
  if (call.getType()->isVoidTy() && intrinsic->isAssumeLikeIntrinsic())
    return true;
  if (call.getType()->isX86_FP80Ty())
    return false;
  // What is a function of the library becomes a call of it for each element.
  return isa<WithOverflowInst>(call) || (isTriviallyVectorizable(id) && math_function_of(id).empty());
}

Value* emit_vector_form(IRBuilder<>& builder, const CallInst& call, unsigned lanes,
                        function_ref<Value*(Value*)> operand) {
  if (has_vector_math(call)) {
    SmallVector<Value*, 2> arguments;
    for (const Use& argument : call.args())
      arguments.push_back(operand(argument));
    return emit_vector_math(builder, call, lanes, arguments);
  }
  if (call.getType()->isVoidTy())
    return nullptr;
  SmallVector<Value*, 4> arguments;
  for (const auto& [index, argument] : enumerate(call.args())) {
    const bool is_scalar =
        isVectorIntrinsicWithScalarOpAtArg(call.getIntrinsicID(), unsigned(index), nullptr);
    arguments.push_back(is_scalar ? argument.get() : operand(argument));
  }
  CallInst* result =
      builder.CreateIntrinsic(widened(call.getType(), lanes), call.getIntrinsicID(), arguments);
  if (isa<FPMathOperator>(result))
    result->copyFastMathFlags(&call);
  return result;
}

} // namespace falx::jit::simd
