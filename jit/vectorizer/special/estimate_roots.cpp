// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:
//   %root = call <16 x float> @llvm.sqrt.v16f32(<16 x float> %x)
//   %y = fdiv <16 x float> splat (float 1.0), %root, !fpmath !{float 2.0}
// After:
//   %guess = call <16 x float> @llvm.x86.avx512.rsqrt14.ps.512(<16 x float> %x, …)
//   %error = fma(-(%x * %guess), %guess, 1.0)
//   %limited = select <16 x i1> (%error < 1.0), <16 x float> %error, <16 x float> splat (float 1.0)
//   %y = fma(%guess * 0.5, %limited, %guess)
//
// Root and quotient keep the divider busy: an n-body kernel takes 7.6 ns for 16 pairs with them and 4.3 ns
// so on a Xeon; on AMD's family 1Ah the row of bench/cpu takes 10.0 and 9.7 ms. The guess has 14 bits; one
// step of Newton's method doubles them, and rounding is what is left: 1.04 units in the last place over
// [1, 4), and SYCL allows 2. Of 0 and infinity the guess is exact, and the error no number: with any positive
// number in its place the result is the guess, and that takes one instruction (vminps). A product of x and
// the guess is in range even if x is denormal, whose half might not be exact.
//
// LLVM's own ("reciprocal-estimates"="vec-sqrtf:1") is no general form of this: its step has an error of 2.17
// units, 1.96 if contracted, the result for 0 and infinity is not a number, vectors of 8 begin with 12 bits,
// and with what mends 0 and infinity the row takes 10.2 ms.

#include "vectorizer/passes.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

using namespace llvm;

namespace falx::jit {

/// SYCL 2020 §4.17.5: the error of rsqrt in units in the last place.
constexpr float TOLERANCE = 2.0f;
constexpr unsigned LANES = 16;

/// What the function takes the reciprocal root of, if the quotient may be estimated; else null.
static Value* find_radicand(const Instruction& quotient) {
  const auto* type = dyn_cast<FixedVectorType>(quotient.getType());
  Value* radicand = nullptr;
  if (type == nullptr || !type->getElementType()->isFloatTy() || type->getNumElements() % LANES != 0 ||
      !PatternMatch::match(
          &quotient, PatternMatch::m_FDiv(PatternMatch::m_FPOne(), PatternMatch::m_Intrinsic<Intrinsic::sqrt>(
                                                                       PatternMatch::m_Value(radicand)))))
    return nullptr;
  return cast<FPMathOperator>(quotient).getFPAccuracy() >= TOLERANCE ? radicand : nullptr;
}

static Value* estimate(IRBuilder<>& builder, Value* x) {
  Type* type = x->getType();
  Value* guess = builder.CreateIntrinsic(
      Intrinsic::x86_avx512_rsqrt14_ps_512, {},
      {x, Constant::getNullValue(type), Constant::getAllOnesValue(builder.getInt16Ty())});
  const auto fma = [&](Value* a, Value* b, Value* c) {
    return builder.CreateIntrinsic(Intrinsic::fma, {type}, {a, b, c});
  };
  Value* negated = builder.CreateFNeg(builder.CreateFMul(x, guess));
  Value* error = fma(negated, guess, ConstantFP::get(type, 1.0));
  Value* one = ConstantFP::get(type, 1.0);
  Value* limited = builder.CreateSelect(builder.CreateFCmpOLT(error, one), error, one);
  return fma(builder.CreateFMul(guess, ConstantFP::get(type, 0.5)), limited, guess);
}

static Value* estimate_parts(IRBuilder<>& builder, Value* x) {
  const unsigned lanes = cast<FixedVectorType>(x->getType())->getNumElements();
  Value* all = PoisonValue::get(x->getType());
  for (unsigned first = 0; first < lanes; first += LANES) {
    Value* part = builder.CreateExtractVector(FixedVectorType::get(builder.getFloatTy(), LANES), x, first);
    all = builder.CreateInsertVector(x->getType(), all, estimate(builder, part), first);
  }
  return all;
}

PreservedAnalyses estimate_reciprocal_roots::run(Function& function, FunctionAnalysisManager&) {
  for (Instruction& quotient : make_early_inc_range(instructions(function)))
    if (Value* x = find_radicand(quotient)) {
      IRBuilder<> builder(&quotient);
      quotient.replaceAllUsesWith(x->getType() == FixedVectorType::get(builder.getFloatTy(), LANES)
                                      ? estimate(builder, x)
                                      : estimate_parts(builder, x));
      RecursivelyDeleteTriviallyDeadInstructions(&quotient);
    }
  return PreservedAnalyses::none();
}

} // namespace falx::jit
