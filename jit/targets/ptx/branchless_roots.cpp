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
// root is neither too small nor too large for it. The arithmetic is C, in ptx_builtins.c.
//
// Quotients of half, which the code generator makes quotients of float of, need no more than a reciprocal's
// estimate and a correction.

#include "frontend/builtin_calls.hpp"
#include "frontend/library_linking.hpp"
#include "passes.hpp"
#include "pipeline/replacements.hpp"
#include "ptx_ir.hpp"

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
using namespace llvm::PatternMatch;

namespace falx::jit {

/// Below, the error term of the root falls among the subnormal numbers, and the estimate of doubles takes
/// numbers for zero. ptx_builtins.c has the same.
static constexpr double LEAST_FOR_FLOAT_ROOT = 0x1p-101, LEAST_NORMAL_DOUBLE = 0x1p-1022;

/// How small the argument of \p call may be before it has to be scaled; nothing if it is no root that is
/// expanded here.
static std::optional<double> least_unscaled(const IntrinsicInst& call) {
  if (call.getIntrinsicID() == Intrinsic::nvvm_rsqrt_approx_d)
    return LEAST_NORMAL_DOUBLE;
  if (call.getIntrinsicID() == Intrinsic::sqrt && call.getType()->isFloatTy() && !is_approximate(call))
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

/// A call of the library's function \p name in the place of \p old, for arguments that are known to be large
/// enough or not.
static CallBase* replace_by_call(Instruction& old, StringRef name, ArrayRef<Value*> operands,
                                 bool may_be_small) {
  IRBuilder<> builder(&old);
  SmallVector<Value*, 3> arguments(operands);
  arguments.push_back(builder.getInt1(may_be_small));
  CallInst* call = call_function(builder, name, old.getType(), arguments);
  replace_instruction(old, call);
  return call;
}

static void replace_roots(Function& function, SmallVector<CallBase*, 16>& calls) {
  SmallVector<IntrinsicInst*, 16> roots;
  for (Instruction& instruction : instructions(function))
    if (auto* call = dyn_cast<IntrinsicInst>(&instruction); call != nullptr && least_unscaled(*call))
      roots.push_back(call);
  if (roots.empty())
    return;
  const DominatorTree dominators(function);
  const LoopInfo loops(dominators);
  for (IntrinsicInst* root : roots) {
    Value* x = root->getArgOperand(0);
    const auto* least = cast<ConstantFP>(ConstantFP::get(root->getType(), *least_unscaled(*root)));
    const bool may_be_small = float_range_of(*x).getLower() < least->getValueAPF();
    // Scaling costs more than the assembler's code does, if nothing is there to be moved across the jump.
    if (may_be_small && loops.getLoopFor(root->getParent()) == nullptr)
      continue;
    for (User* user : make_early_inc_range(root->users()))
      if (auto* quotient = cast<Instruction>(user); root->getType()->isFloatTy() &&
                                                    !quotient->hasMetadata(LLVMContext::MD_fpmath) &&
                                                    match(quotient, m_FDiv(m_FPOne(), m_Specific(root))))
        calls.push_back(replace_by_call(*quotient, "__falx_reciprocal_of_root_f32", {root, x}, may_be_small));
    calls.push_back(replace_by_call(
        *root, root->getType()->isFloatTy() ? "__falx_root_f32" : "__falx_reciprocal_root_f64", x,
        may_be_small));
  }
}

static bool is_quotient_of_halves(const Instruction& instruction) {
  return instruction.getOpcode() == Instruction::FDiv && instruction.getType()->getScalarType()->isHalfTy() &&
         !isa<ScalableVectorType>(instruction.getType()) && !is_approximate(instruction);
}

static void replace_quotients(Function& function, SmallVector<CallBase*, 16>& calls) {
  SmallVector<Instruction*> quotients;
  for (Instruction& instruction : instructions(function))
    if (is_quotient_of_halves(instruction))
      quotients.push_back(&instruction);
  for (Instruction* quotient : quotients) {
    IRBuilder<> builder(quotient);
    const auto divide = [&](Value* dividend, Value* divisor) {
      Type* const wide = builder.getFloatTy();
      CallInst* call =
          call_function(builder, "__falx_quotient_of_halves_f32", wide,
                        {builder.CreateFPExt(dividend, wide), builder.CreateFPExt(divisor, wide)});
      calls.push_back(call);
      return builder.CreateFPTrunc(call, builder.getHalfTy());
    };
    Value *const dividend = quotient->getOperand(0), *const divisor = quotient->getOperand(1);
    Value* result = nullptr;
    if (const auto* vector = dyn_cast<FixedVectorType>(quotient->getType())) {
      result = PoisonValue::get(quotient->getType());
      for (unsigned i = 0; i < vector->getNumElements(); ++i)
        result = builder.CreateInsertElement(
            result,
            divide(builder.CreateExtractElement(dividend, i), builder.CreateExtractElement(divisor, i)), i);
    } else {
      result = divide(dividend, divisor);
    }
    replace_instruction(*quotient, result);
  }
}

PreservedAnalyses expand_roots::run(Module& module, ModuleAnalysisManager& analyses) {
  SmallVector<CallBase*, 16> calls;
  for (Function& function : module)
    if (!function.isDeclaration()) {
      replace_roots(function, calls);
      replace_quotients(function, calls);
    }
  if (calls.empty())
    return PreservedAnalyses::all();
  if (Error error = define_from_library(module, library::ptx_builtins))
    return report(std::move(error), module, analyses);
  inline_bodies(std::move(calls));
  return PreservedAnalyses::none();
}

} // namespace falx::jit
