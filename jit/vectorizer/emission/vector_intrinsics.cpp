// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "vector_intrinsics.hpp"
#include "vector_math.hpp"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace falx::jit::simd {

/// Intrinsics that become a call of the mathematical library for each element.
static bool is_library_function(Intrinsic::ID id) {
  switch (id) {
  case Intrinsic::acos:
  case Intrinsic::asin:
  case Intrinsic::atan:
  case Intrinsic::atan2:
  case Intrinsic::cos:
  case Intrinsic::cosh:
  case Intrinsic::exp:
  case Intrinsic::exp2:
  case Intrinsic::exp10:
  case Intrinsic::frexp:
  case Intrinsic::ldexp:
  case Intrinsic::log:
  case Intrinsic::log2:
  case Intrinsic::log10:
  case Intrinsic::lrint:
  case Intrinsic::llrint:
  case Intrinsic::lround:
  case Intrinsic::llround:
  case Intrinsic::modf:
  case Intrinsic::pow:
  case Intrinsic::powi:
  case Intrinsic::round:
  case Intrinsic::sin:
  case Intrinsic::sincos:
  case Intrinsic::sincospi:
  case Intrinsic::sinh:
  case Intrinsic::tan:
  case Intrinsic::tanh:
    return true;
  default:
    return false;
  }
}

static bool has_overflow_flag(Intrinsic::ID id) {
  switch (id) {
  case Intrinsic::sadd_with_overflow:
  case Intrinsic::ssub_with_overflow:
  case Intrinsic::smul_with_overflow:
  case Intrinsic::uadd_with_overflow:
  case Intrinsic::usub_with_overflow:
  case Intrinsic::umul_with_overflow:
    return true;
  default:
    return false;
  }
}

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
  return has_overflow_flag(id) || (isTriviallyVectorizable(id) && !is_library_function(id));
}

Value* emit_vector_form(IRBuilder<>& builder, const CallInst& call, unsigned lanes,
                        function_ref<Value*(Value*)> operand) {
  if (has_vector_math(call)) {
    SmallVector<Value*, 2> arguments;
    for (const Use& argument : call.args())
      arguments.push_back(operand(argument));
    return emit_vector_math(builder, call, lanes, arguments);
  }
  const auto& intrinsic = cast<IntrinsicInst>(call);
  const Intrinsic::ID id = intrinsic.getIntrinsicID();
  if (call.getType()->isVoidTy())
    return nullptr;
  SmallVector<Type*, 2> types;
  SmallVector<Value*, 4> arguments;
  if (has_overflow_flag(id))
    types.push_back(FixedVectorType::get(call.getArgOperand(0)->getType(), lanes));
  else if (isVectorIntrinsicWithOverloadTypeAtArg(id, -1, nullptr))
    types.push_back(FixedVectorType::get(call.getType(), lanes));
  for (const auto& [index, argument] : enumerate(call.args())) {
    Value* value =
        isVectorIntrinsicWithScalarOpAtArg(id, unsigned(index), nullptr) ? argument.get() : operand(argument);
    arguments.push_back(value);
    if (!has_overflow_flag(id) && isVectorIntrinsicWithOverloadTypeAtArg(id, int(index), nullptr))
      types.push_back(value->getType());
  }
  CallInst* result = builder.CreateIntrinsic(id, types, arguments);
  if (isa<FPMathOperator>(result))
    result->copyFastMathFlags(&call);
  return result;
}

} // namespace falx::jit::simd
