// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// __falx_native_exp_f32(%x):
//   %scaled = fmul float %x, log2(e)
//   %result = call float @llvm.nvvm.ex2.approx.f32(float %scaled)
//
// What the hardware has is base 2; the other bases and powr are a multiplication away, as in CUDA's
// intrinsics.

#include "native_functions.hpp"

#include <llvm/IR/IntrinsicsNVPTX.h>

#include <cmath>
#include <numbers>

using namespace llvm;

namespace falx::jit {

Value* emit_native_function(StringRef name, const CallInst& call, IRBuilder<>& builder) {
  if (!name.consume_back("_f32"))
    return nullptr;
  Value* x = call.getArgOperand(0);
  const auto apply = [&](Intrinsic::ID intrinsic, std::initializer_list<Value*> operands) {
    return builder.CreateIntrinsic(builder.getFloatTy(), intrinsic, operands);
  };
  const auto scale = [&](Value* value, double factor) {
    return builder.CreateFMul(value, ConstantFP::get(builder.getFloatTy(), factor));
  };
  const auto exp2 = [&](Value* value) {
    return builder.CreateIntrinsic(Intrinsic::nvvm_ex2_approx, {builder.getFloatTy()}, {value});
  };
  const auto log2 = [&](Value* value) { return apply(Intrinsic::nvvm_lg2_approx_f, {value}); };
  const auto divide = [&](Value* a, Value* b) { return apply(Intrinsic::nvvm_div_approx_f, {a, b}); };

  if (name == "sin")
    return apply(Intrinsic::nvvm_sin_approx_f, {x});
  if (name == "cos")
    return apply(Intrinsic::nvvm_cos_approx_f, {x});
  if (name == "tan")
    return divide(apply(Intrinsic::nvvm_sin_approx_f, {x}), apply(Intrinsic::nvvm_cos_approx_f, {x}));
  if (name == "exp2")
    return exp2(x);
  if (name == "exp")
    return exp2(scale(x, std::numbers::log2e));
  if (name == "exp10")
    return exp2(scale(x, std::log2(10.0)));
  if (name == "log2")
    return log2(x);
  if (name == "log")
    return scale(log2(x), std::numbers::ln2);
  if (name == "log10")
    return scale(log2(x), std::log10(2.0));
  if (name == "recip")
    return apply(Intrinsic::nvvm_rcp_approx_ftz_f, {x});
  if (name == "rsqrt")
    return apply(Intrinsic::nvvm_rsqrt_approx_f, {x});
  if (name == "sqrt")
    return apply(Intrinsic::nvvm_sqrt_approx_f, {x});
  if (name == "divide")
    return divide(x, call.getArgOperand(1));
  if (name == "powr")
    return exp2(builder.CreateFMul(call.getArgOperand(1), log2(x)));
  return nullptr;
}

} // namespace falx::jit
