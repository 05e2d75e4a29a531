// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:
//   %half = uitofp i128 %x to half
// After:
//   %least = call i128 @llvm.umin.i128(i128 %x, i128 131072)
//   %narrow = trunc i128 %least to i32
//   %half = uitofp i32 %narrow to half
//
// Signed numbers have a lower limit, too. All from 65520 on are infinity as halves, so the values are the
// same, without a call. With AVX-512 FP16, LLVM 22 hands an instruction of its own to the lowering of generic
// ones here, which ends in code that was never to be reached: a SIGTRAP as Falx links it.

#include "pipeline/replacements.hpp"
#include "workarounds.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

using namespace llvm;

namespace falx::jit {

constexpr std::int64_t INFINITE_HALF = std::int64_t(1) << 17;

PreservedAnalyses convert_wide_integers_to_halves::run(Function& function, FunctionAnalysisManager&) {
  for (Instruction& instruction : make_early_inc_range(instructions(function))) {
    auto* conversion = dyn_cast<CastInst>(&instruction);
    if (conversion == nullptr || !isa<UIToFPInst, SIToFPInst>(conversion) ||
        !conversion->getType()->getScalarType()->isHalfTy() ||
        conversion->getSrcTy()->getScalarSizeInBits() <= 64)
      continue;
    IRBuilder<> builder(conversion);
    Type* wide = conversion->getSrcTy();
    Value* number = conversion->getOperand(0);
    const bool has_sign = isa<SIToFPInst>(conversion);
    number = builder.CreateBinaryIntrinsic(has_sign ? Intrinsic::smin : Intrinsic::umin, number,
                                           ConstantInt::get(wide, INFINITE_HALF));
    if (has_sign)
      number = builder.CreateBinaryIntrinsic(Intrinsic::smax, number,
                                             ConstantInt::getSigned(wide, -INFINITE_HALF));
    number = builder.CreateTrunc(number, wide->getWithNewType(builder.getInt32Ty()));
    replace_instruction(*conversion,
                        builder.CreateCast(conversion->getOpcode(), number, conversion->getType()));
  }
  return PreservedAnalyses::none();
}

} // namespace falx::jit
