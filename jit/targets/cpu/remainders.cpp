// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:                                      After:
//   %r = frem float %x, %y                       %a = |%x|, %b = |%y|
//                                                %q = trunc (%a / %b)
//                                                %few = fcmp olt float %q, 2^23; and %b is finite
//                                                br i1 %few, label %quotient, label %rare, !prof !likely
//                                              quotient:
//                                                %rest = fma(-%q, %b, %a)
//                                                %r.0 = select i1 (%rest < 0), float (%rest + %b), float %rest
//                                                %r.1 = copysign(%r.0, %x)
//                                              rare:
//                                                %r.2 = call float @fmodf(float %x, float %y)
//
// The C library takes 75 clocks for one (glibc 2.36, Zen 4), and in vectors it is called lane by lane.
//
// The result is exact. The quotient's integers are numbers, as it is below 2^23 (2^52 of double), and
// rounding keeps the order, so %q is the integer below it or that above it. With the one below, the rest is
// what fmod returns, which is a number, and the fused operation has it without rounding. With the one above,
// it is that less %b: a multiple of the same power of two, no larger than %b, and so a number as well; %b is
// added again.

#include "passes.hpp"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <cmath>

using namespace llvm;

namespace falx::jit {

static void expand(BinaryOperator& remainder, bool has_fused) {
  Value *x = remainder.getOperand(0), *y = remainder.getOperand(1);
  Type* type = remainder.getType();
  IRBuilder<> builder(&remainder);
  const auto absolute = [&](Value* value) { return builder.CreateUnaryIntrinsic(Intrinsic::fabs, value); };
  Value *a = absolute(x), *b = absolute(y);
  Type* computed = has_fused ? type : builder.getDoubleTy();
  if (computed != type) {
    a = builder.CreateFPExt(a, computed);
    b = builder.CreateFPExt(b, computed);
  }
  Value* quotient = builder.CreateUnaryIntrinsic(Intrinsic::trunc, builder.CreateFDiv(a, b));
  Value* limit = ConstantFP::get(computed, std::ldexp(1.0, type->isFloatTy() ? 23 : 52));
  Value* few = builder.CreateAnd(builder.CreateFCmpOLT(quotient, limit),
                                 builder.CreateFCmpOLT(b, ConstantFP::getInfinity(computed)));

  BasicBlock& front = *remainder.getParent();
  Instruction *by_quotient = nullptr, *rare = nullptr;
  SplitBlockAndInsertIfThenElse(few, remainder.getIterator(), &by_quotient, &rare,
                                MDBuilder(front.getContext()).createLikelyBranchWeights());
  builder.SetInsertPoint(by_quotient);
  Value* rest = has_fused
                    ? builder.CreateIntrinsic(Intrinsic::fma, {type}, {builder.CreateFNeg(quotient), b, a})
                    : builder.CreateFSub(a, builder.CreateFMul(quotient, b));
  rest = builder.CreateSelect(builder.CreateFCmpOLT(rest, ConstantFP::getZero(computed)),
                              builder.CreateFAdd(rest, b), rest);
  if (computed != type)
    rest = builder.CreateFPTrunc(rest, type);
  rest = builder.CreateBinaryIntrinsic(Intrinsic::copysign, rest, x);

  builder.SetInsertPoint(rare);
  CallInst* call = builder.CreateCall(
      front.getModule()->getOrInsertFunction(type->isFloatTy() ? "fmodf" : "fmod", type, type, type), {x, y});
  call->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
  for (const Attribute::AttrKind attribute :
       {Attribute::Cold, Attribute::NoBuiltin, Attribute::NoUnwind, Attribute::WillReturn})
    call->addFnAttr(attribute);

  builder.SetInsertPoint(&remainder);
  PHINode* result = builder.CreatePHI(type, 2);
  result->addIncoming(rest, by_quotient->getParent());
  result->addIncoming(call, rare->getParent());
  result->takeName(&remainder);
  remainder.replaceAllUsesWith(result);
  remainder.eraseFromParent();
}

PreservedAnalyses expand_remainders::run(Function& function, FunctionAnalysisManager&) {
  SmallVector<BinaryOperator*> remainders;
  for (Instruction& instruction : instructions(function))
    if (instruction.getOpcode() == Instruction::FRem &&
        (instruction.getType()->isFloatTy() || (has_fused && instruction.getType()->isDoubleTy())))
      remainders.push_back(cast<BinaryOperator>(&instruction));
  for (BinaryOperator* remainder : remainders)
    expand(*remainder, has_fused);
  return remainders.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

} // namespace falx::jit
