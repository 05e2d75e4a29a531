// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:                                      After:
//   %r = frem float %x, %y                       %a = |%x|, %b = |%y|
//                                                %q = trunc (%a / %b)
//                                                %few = fcmp olt float %q, 2^22; and %b is finite
//                                                br i1 %few, label %quotient, label %rare, !prof !likely
//                                              quotient:
//                                                %rest = fma(-%q, %b, %a)
//                                                %r.0 = select i1 (%rest < 0), %rest + %b, %rest
//                                                %r.1 = %r.0 with the sign of %x
//                                              rare:
//                                                %r.2 = call float @fmodf(float %x, float %y)
//
// A call of remainder rounds the quotient to the nearest integer and to even, and takes %b off or adds it
// where twice the rest is more than %b or less than -%b; with a negative %x the result is the negated one.
//
// The C library takes 75 clocks for one (glibc 2.36, Zen 4), and in vectors it is called lane by lane.
//
// The results are exact. Integers near the quotient are numbers, as it is below 2^22 (2^51 of double), and
// rounding keeps the order, so %q is the integer below it or that above it; rounded to nearest, the quotient
// is off by a quarter, so %q is the nearest integer or its neighbour, and not where two are as near. The rest
// is a multiple of the last digit of %a or of %b, whichever is worth less, and no larger than %b, so it is a
// number (if %a's is worth less, %a is below %b or its next power of two, and %q 0 or 1), and the fused
// operation has it without rounding; and so is the sum with %b.
//
// LLVM would compute a remainder, which has no effects, for both ways, but not a call that may have some.
//
// Processors without fused operations compute those of float as doubles, which hold the product, and leave
// those of double.

#include "passes.hpp"

#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <cmath>
#include <optional>

using namespace llvm;

namespace falx::jit {

namespace {

/// A call of remainder, or what fmod is called for.
struct remainder_of {
  Instruction& instruction;
  bool is_nearest;
};

} // namespace

static void expand(const remainder_of& remainder, bool has_fused) {
  Value *x = remainder.instruction.getOperand(0), *y = remainder.instruction.getOperand(1);
  Type* type = remainder.instruction.getType();
  IRBuilder<> builder(&remainder.instruction);
  const auto absolute = [&](Value* value) { return builder.CreateUnaryIntrinsic(Intrinsic::fabs, value); };
  Value *a = absolute(x), *b = absolute(y);
  Type* computed = has_fused ? type : builder.getDoubleTy();
  if (computed != type) {
    a = builder.CreateFPExt(a, computed);
    b = builder.CreateFPExt(b, computed);
  }
  Value* quotient = builder.CreateUnaryIntrinsic(
      remainder.is_nearest ? Intrinsic::roundeven : Intrinsic::trunc, builder.CreateFDiv(a, b));
  Value* limit = ConstantFP::get(computed, std::ldexp(1.0, type->isFloatTy() ? 22 : 51));
  Value* few = builder.CreateAnd(builder.CreateFCmpOLT(quotient, limit),
                                 builder.CreateFCmpOLT(b, ConstantFP::getInfinity(computed)));
  few = builder.CreateFreeze(few); // a remainder of poison is poison, a branch on it nothing at all

  Module& module = *remainder.instruction.getModule();
  Instruction *by_quotient = nullptr, *rare = nullptr;
  SplitBlockAndInsertIfThenElse(few, remainder.instruction.getIterator(), &by_quotient, &rare,
                                MDBuilder(module.getContext()).createLikelyBranchWeights());
  builder.SetInsertPoint(by_quotient);
  Value* rest = has_fused
                    ? builder.CreateIntrinsic(Intrinsic::fma, {type}, {builder.CreateFNeg(quotient), b, a})
                    : builder.CreateFSub(a, builder.CreateFMul(quotient, b));
  const auto select = [&](Value* condition, Value* other) {
    rest = builder.CreateSelect(condition, other, rest);
  };
  if (remainder.is_nearest) {
    Value* twice = builder.CreateFAdd(rest, rest);
    Value* is_above = builder.CreateFCmpOGT(twice, b);
    Value* is_below = builder.CreateFCmpOLT(twice, builder.CreateFNeg(b));
    Value *less = builder.CreateFSub(rest, b), *more = builder.CreateFAdd(rest, b);
    select(is_above, less);
    select(is_below, more);
  } else {
    select(builder.CreateFCmpOLT(rest, ConstantFP::getZero(computed)), builder.CreateFAdd(rest, b));
  }
  if (computed != type)
    rest = builder.CreateFPTrunc(rest, type);
  rest = remainder.is_nearest
             ? builder.CreateFMul(
                   rest, builder.CreateBinaryIntrinsic(Intrinsic::copysign, ConstantFP::get(type, 1), x))
             : builder.CreateBinaryIntrinsic(Intrinsic::copysign, rest, x);

  builder.SetInsertPoint(rare);
  const StringRef name = remainder.is_nearest ? "remainder" : "fmod";
  CallInst* call = builder.CreateCall(
      module.getOrInsertFunction((name + (type->isFloatTy() ? "f" : "")).str(), type, type, type), {x, y});
  call->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
  for (const Attribute::AttrKind attribute :
       {Attribute::Cold, Attribute::NoBuiltin, Attribute::NoUnwind, Attribute::WillReturn})
    call->addFnAttr(attribute);

  builder.SetInsertPoint(&remainder.instruction);
  PHINode* result = builder.CreatePHI(type, 2);
  result->addIncoming(rest, by_quotient->getParent());
  result->addIncoming(call, rare->getParent());
  result->takeName(&remainder.instruction);
  remainder.instruction.replaceAllUsesWith(result);
  remainder.instruction.eraseFromParent();
}

static std::optional<remainder_of> as_remainder(Instruction& instruction,
                                                const TargetLibraryInfo& libraries) {
  if (instruction.getOpcode() == Instruction::FRem)
    return remainder_of{instruction, /*is_nearest=*/false};
  const auto* call = dyn_cast<CallInst>(&instruction);
  LibFunc function;
  if (call == nullptr || !call->doesNotAccessMemory() || !libraries.getLibFunc(*call, function))
    return std::nullopt;
  const bool is_nearest = function == LibFunc_remainder || function == LibFunc_remainderf;
  if (!is_nearest && function != LibFunc_fmod && function != LibFunc_fmodf)
    return std::nullopt;
  return remainder_of{instruction, is_nearest};
}

PreservedAnalyses expand_remainders::run(Function& function, FunctionAnalysisManager& analyses) {
  const auto& libraries = analyses.getResult<TargetLibraryAnalysis>(function);
  SmallVector<remainder_of> remainders;
  for (Instruction& instruction : instructions(function)) {
    const Type* type = instruction.getType();
    if (!type->isFloatTy() && !(has_fused && type->isDoubleTy()))
      continue;
    if (const std::optional<remainder_of> remainder = as_remainder(instruction, libraries))
      remainders.push_back(*remainder);
  }
  for (const remainder_of& remainder : remainders)
    expand(remainder, has_fused);
  return remainders.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

} // namespace falx::jit
