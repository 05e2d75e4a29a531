// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:
//   %s = call float @llvm.sqrt.f32(float %x)
//   %q = fdiv float 1.0, %s
// After:
//   %y = call float @llvm.nvvm.rsqrt.approx.ftz.f(float %x)
//   %g = fmul float %x, %y
//   %h = fmul float %y, 0.5
//   %e = fma(-%g, %g, %x)
//   %r = fma(%e, %h, %g)
//   %s = select i1 %is_special, float %x, float %r
//   %i = call float @llvm.nvvm.rcp.approx.ftz.f(float %s)
//   %f = fma(-%s, %i, 1.0)
//   %c = fma(%f, %i, %i)
//   %q = select i1 %is_special, float %i, float %c
//
// Special are zero and infinity, whose product is not a number. What is too small for the estimate is scaled
// before, and the result after. Neither is needed where %x is known to be large enough, as the softened
// distances of bodies are; where it is, only roots in loops are expanded. The reciprocal needs no scaling: a
// root is neither too small nor too large for it.

#include "passes.hpp"
#include "pipeline/replacements.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/ConstantFPRange.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/PatternMatch.h>

#include <optional>

using namespace llvm;

namespace falx::jit {

/// Below, the error term of the root falls among the subnormal numbers.
static constexpr double LEAST_FOR_FLOAT_ROOT = 0x1p-101;
static constexpr double FLOAT_SCALE = 0x1p64;
/// Below, the estimate takes numbers for zero.
static constexpr double LEAST_NORMAL_DOUBLE = 0x1p-1022;
static constexpr std::uint32_t HIGH_WORD_OF_LEAST_NORMAL = 0x0010'0000;
static constexpr std::uint32_t HIGH_WORD_OF_INFINITY = 0x7ff0'0000;
static constexpr double DOUBLE_SCALE = 0x1p54;

namespace {

/// A root's argument, scaled so that it can be estimated.
struct scaled_argument {
  Value* x;
  Value* is_scaled; // null: never

  Value* unscale(Value* result, double factor, IRBuilder<>& builder) const {
    if (is_scaled == nullptr)
      return result;
    Value* scaled = builder.CreateFMul(result, ConstantFP::get(result->getType(), factor));
    return builder.CreateSelect(is_scaled, scaled, result);
  }
};

} // namespace

/// \p a * \p b + \p c, rounded once.
static Value* multiply_add(Value* a, Value* b, Value* c, IRBuilder<>& builder) {
  return builder.CreateIntrinsic(Intrinsic::fma, {a->getType()}, {a, b, c});
}

static scaled_argument scale(Value* x, Value* is_small, double factor, IRBuilder<>& builder) {
  Value* scaled = builder.CreateFMul(x, ConstantFP::get(x->getType(), factor));
  return {builder.CreateSelect(is_small, scaled, x), is_small};
}

static Value* is_zero_or_infinite(Value* x, bool may_be_zero, IRBuilder<>& builder) {
  Value* infinite = builder.CreateFCmpOEQ(x, ConstantFP::getInfinity(x->getType()));
  if (!may_be_zero)
    return infinite;
  return builder.CreateOr(builder.CreateFCmpOEQ(x, ConstantFP::getZero(x->getType())), infinite);
}

/// 1 / \p root, where \p is_special tells whether the root is zero or infinite.
static Value* reciprocal(Value* root, Value* is_special, IRBuilder<>& builder) {
  Value* estimate = builder.CreateIntrinsic(Intrinsic::nvvm_rcp_approx_ftz_f, {root});
  Value* error =
      multiply_add(builder.CreateFNeg(root), estimate, ConstantFP::get(root->getType(), 1), builder);
  return builder.CreateSelect(is_special, estimate, multiply_add(error, estimate, estimate, builder));
}

static void expand_float_root(CallInst& call, bool is_scaled) {
  IRBuilder<> builder(&call);
  scaled_argument argument{call.getArgOperand(0), nullptr};
  if (is_scaled) {
    Value* is_small =
        builder.CreateFCmpOLT(argument.x, ConstantFP::get(call.getType(), LEAST_FOR_FLOAT_ROOT));
    argument = scale(argument.x, is_small, FLOAT_SCALE, builder);
  }
  Value* x = argument.x;
  Value* estimate = builder.CreateIntrinsic(Intrinsic::nvvm_rsqrt_approx_ftz_f, {x});
  Value* guess = builder.CreateFMul(x, estimate);
  Value* half = builder.CreateFMul(estimate, ConstantFP::get(call.getType(), 0.5));
  Value* error = multiply_add(builder.CreateFNeg(guess), guess, x, builder);
  Value* refined = argument.unscale(multiply_add(error, half, guess, builder), 0x1p-32, builder);
  Value* is_special = is_zero_or_infinite(x, is_scaled, builder);
  Value* root = builder.CreateSelect(is_special, x, refined);
  for (User* user : make_early_inc_range(call.users()))
    if (auto* quotient = dyn_cast<Instruction>(user);
        quotient != nullptr && !quotient->hasMetadata(LLVMContext::MD_fpmath) &&
        PatternMatch::match(quotient,
                            PatternMatch::m_FDiv(PatternMatch::m_FPOne(), PatternMatch::m_Specific(&call)))) {
      IRBuilder<> behind(quotient);
      replace_instruction(*quotient, reciprocal(root, is_special, behind));
    }
  replace_instruction(call, root);
}

static Value* high_word(Value* x, IRBuilder<>& builder) {
  Value* words = builder.CreateBitCast(x, FixedVectorType::get(builder.getInt32Ty(), 2));
  return builder.CreateExtractElement(words, builder.getInt32(1));
}

static void expand_double_reciprocal_root(CallInst& call, bool is_scaled) {
  IRBuilder<> builder(&call);
  scaled_argument argument{call.getArgOperand(0), nullptr};
  if (is_scaled) {
    Value* is_small =
        builder.CreateICmpSLT(high_word(argument.x, builder), builder.getInt32(HIGH_WORD_OF_LEAST_NORMAL));
    argument = scale(argument.x, is_small, DOUBLE_SCALE, builder);
  }
  Value* x = argument.x;
  Type* type = call.getType();
  Value* estimate = builder.CreateIntrinsic(Intrinsic::nvvm_rsqrt_approx_ftz_d, {x});
  Value* error = multiply_add(builder.CreateFNeg(x), builder.CreateFMul(estimate, estimate),
                              ConstantFP::get(type, 1), builder);
  Value* series = multiply_add(error, ConstantFP::get(type, 0.375), ConstantFP::get(type, 0.5), builder);
  Value* refined = multiply_add(series, builder.CreateFMul(estimate, error), estimate, builder);
  // The estimate is the result for zero, infinity and what has no root. Integer comparisons, as those of
  // doubles take the arithmetic units' time.
  Value* is_final = nullptr;
  if (is_scaled)
    is_final = builder.CreateICmpUGE(
        builder.CreateSub(high_word(x, builder), builder.getInt32(HIGH_WORD_OF_LEAST_NORMAL)),
        builder.getInt32(HIGH_WORD_OF_INFINITY - HIGH_WORD_OF_LEAST_NORMAL));
  else
    is_final = builder.CreateICmpEQ(high_word(estimate, builder), builder.getInt32(0));
  Value* root = builder.CreateSelect(is_final, estimate, refined);
  replace_instruction(call, argument.unscale(root, 0x1p27, builder));
}

/// How small the argument of \p call may be before it has to be scaled; nothing if it is no root that is
/// expanded here.
static std::optional<double> least_unscaled(const IntrinsicInst& call) {
  if (call.getIntrinsicID() == Intrinsic::nvvm_rsqrt_approx_d)
    return LEAST_NORMAL_DOUBLE;
  if (call.getIntrinsicID() == Intrinsic::sqrt && call.getType()->isFloatTy() && !call.hasApproxFunc() &&
      !call.hasMetadata(LLVMContext::MD_fpmath))
    return LEAST_FOR_FLOAT_ROOT;
  return std::nullopt;
}

/// What \p value, a floating-point number, may be; right also if its products are fused with sums. LLVM 22
/// has the ranges, but no analysis that makes them.
static ConstantFPRange float_range_of(const Value& value, unsigned depth = 0);

/// From zero to infinity. Roots of negative zero are that.
static ConstantFPRange not_negative(const fltSemantics& semantics, bool has_negative_zero) {
  return ConstantFPRange::getMayBeNaN(APFloat::getZero(semantics, has_negative_zero),
                                      APFloat::getInf(semantics));
}

/// As it is before it is rounded, in a sum that it may be fused with: rounded products that are not zero are
/// one number off at most.
static ConstantFPRange product(const Value& a, const Value& b, unsigned depth) {
  const ConstantFPRange left = float_range_of(a, depth), right = float_range_of(b, depth);
  const ConstantFPRange rounded = &a == &b ? left.abs().mul(left.abs()) : left.mul(right);
  APFloat lower = rounded.getLower(), upper = rounded.getUpper();
  if (!lower.isZero() && lower <= upper)
    lower.next(/*nextDown=*/true);
  if (!upper.isZero() && lower <= upper)
    upper.next(/*nextDown=*/false);
  return ConstantFPRange(lower, upper, rounded.containsQNaN(), rounded.containsSNaN());
}

static ConstantFPRange range_of_call(const IntrinsicInst& call, unsigned depth) {
  const auto operand = [&](unsigned i) { return float_range_of(*call.getArgOperand(i), depth); };
  const fltSemantics& semantics = call.getType()->getFltSemantics();
  switch (call.getIntrinsicID()) {
  case Intrinsic::fabs:
    return operand(0).abs();
  case Intrinsic::sqrt:
    return not_negative(semantics, /*has_negative_zero=*/true);
  case Intrinsic::exp:
  case Intrinsic::exp2:
    return not_negative(semantics, /*has_negative_zero=*/false);
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
    return product(*call.getArgOperand(0), *call.getArgOperand(1), depth).add(operand(2));
  case Intrinsic::maxnum: // of a number and something that is none, the number
    return operand(0).unionWith(operand(1));
  default:
    return ConstantFPRange::getFull(semantics);
  }
}

static ConstantFPRange float_range_of(const Value& value, unsigned depth) {
  if (const auto* constant = dyn_cast<ConstantFP>(&value);
      constant != nullptr && !value.getType()->isVectorTy())
    return ConstantFPRange(constant->getValueAPF());
  const fltSemantics& semantics = value.getType()->getScalarType()->getFltSemantics();
  const auto* instruction = dyn_cast<Instruction>(&value);
  if (instruction == nullptr || value.getType()->isVectorTy() || depth++ == MaxAnalysisRecursionDepth)
    return ConstantFPRange::getFull(semantics);
  if (const auto* call = dyn_cast<IntrinsicInst>(instruction))
    return range_of_call(*call, depth);
  const auto operand = [&](unsigned i) { return float_range_of(*instruction->getOperand(i), depth); };
  switch (instruction->getOpcode()) {
  case Instruction::FAdd:
    return operand(0).add(operand(1));
  case Instruction::FMul:
    return product(*instruction->getOperand(0), *instruction->getOperand(1), depth);
  case Instruction::FPExt:
    return operand(0).cast(semantics);
  case Instruction::UIToFP:
    return not_negative(semantics, /*has_negative_zero=*/false);
  case Instruction::Select:
    return operand(1).unionWith(operand(2));
  default:
    return ConstantFPRange::getFull(semantics);
  }
}

PreservedAnalyses expand_roots::run(Function& function, FunctionAnalysisManager&) {
  SmallVector<IntrinsicInst*, 16> roots;
  for (Instruction& instruction : instructions(function))
    if (auto* call = dyn_cast<IntrinsicInst>(&instruction); call != nullptr && least_unscaled(*call))
      roots.push_back(call);
  if (roots.empty())
    return PreservedAnalyses::all();
  const DominatorTree dominators(function);
  const LoopInfo loops(dominators);
  for (IntrinsicInst* root : roots) {
    const auto* least = cast<ConstantFP>(ConstantFP::get(root->getType(), *least_unscaled(*root)));
    const bool is_scaled = float_range_of(*root->getArgOperand(0)).getLower() < least->getValueAPF();
    // Scaling costs more than the assembler's code does, if nothing is there to be moved across the jump.
    if (is_scaled && loops.getLoopFor(root->getParent()) == nullptr)
      continue;
    if (root->getType()->isFloatTy())
      expand_float_root(*root, is_scaled);
    else
      expand_double_reciprocal_root(*root, is_scaled);
  }
  return PreservedAnalyses::none();
}

} // namespace falx::jit
