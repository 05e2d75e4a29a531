// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:
//   %least = call <16 x half> @llvm.minnum.v16f16(<16 x half> %x, <16 x half> %y)
// After:
//   %wide = call <16 x float> @llvm.minnum.v16f32(<16 x float> (fpext %x), <16 x float> (fpext %y))
//   %least = fptrunc <16 x float> %wide to <16 x half>
//
// The same values, as each half is a float. Left to itself, LLVM 22 makes a call of fminf for each element,
// where floats take three instructions.

#include "pipeline/replacements.hpp"
#include "workarounds.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace falx::jit {

PreservedAnalyses compare_halves_as_floats::run(Function& function, FunctionAnalysisManager&) {
  for (Instruction& instruction : make_early_inc_range(instructions(function))) {
    auto* call = dyn_cast<IntrinsicInst>(&instruction);
    if (call == nullptr || !call->getType()->getScalarType()->isHalfTy() ||
        (call->getIntrinsicID() != Intrinsic::minnum && call->getIntrinsicID() != Intrinsic::maxnum))
      continue;
    IRBuilder<> builder(call);
    Type* wide = call->getType()->getWithNewType(builder.getFloatTy());
    Value* result = builder.CreateBinaryIntrinsic(call->getIntrinsicID(),
                                                  builder.CreateFPExt(call->getArgOperand(0), wide),
                                                  builder.CreateFPExt(call->getArgOperand(1), wide), call);
    replace_instruction(*call, builder.CreateFPTrunc(result, call->getType()));
  }
  return PreservedAnalyses::none();
}

} // namespace falx::jit
