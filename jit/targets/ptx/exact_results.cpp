// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code that knows captured integers takes the place of code that does not while the program runs
// (runtime/adaptivity/learned_code.hpp). What either computes is the same, bit for bit: operations of IEEE
// 754 are rounded in one way, whether LLVM folds them or the device runs them, loops are unrolled without
// changing the order of sums, and a product and a sum that the program has as one (llvm.fmuladd) are one
// instruction. That is not so
// - where flags let LLVM contract or rearrange, which it does as operations come to lie;
// - of functions that LLVM has as intrinsics and computes as the host's library does, if operands are
//   constants, but the device approximates: llvm.exp2, llvm.sin.

#include "frontend/builtin_calls.hpp"
#include "frontend/kernel_attributes.hpp"
#include "passes.hpp"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

using namespace llvm;

namespace falx::jit {

static bool may_be_changed(const Instruction& instruction) {
  const auto* operation = dyn_cast<FPMathOperator>(&instruction);
  if (operation == nullptr)
    return false;
  const FastMathFlags flags = operation->getFastMathFlags();
  return flags.allowContract() || flags.allowReassoc() || flags.allowReciprocal() || flags.approxFunc() ||
         flags.noSignedZeros();
}

static bool is_of_numbers(const CallInst& call) {
  return call.getType()->isFPOrFPVectorTy() ||
         any_of(call.args(), [](const Use& argument) { return argument->getType()->isFPOrFPVectorTy(); });
}

/// What has one result, and does not depend on who computes it.
static bool is_exact(Intrinsic::ID intrinsic) {
  switch (intrinsic) {
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
  case Intrinsic::sqrt:
  case Intrinsic::fabs:
  case Intrinsic::copysign:
  case Intrinsic::floor:
  case Intrinsic::ceil:
  case Intrinsic::trunc:
  case Intrinsic::rint:
  case Intrinsic::nearbyint:
  case Intrinsic::round:
  case Intrinsic::roundeven:
  case Intrinsic::minnum:
  case Intrinsic::maxnum:
  case Intrinsic::minimum:
  case Intrinsic::maximum:
  case Intrinsic::minimumnum:
  case Intrinsic::maximumnum:
  case Intrinsic::ldexp:
  case Intrinsic::is_fpclass:
  case Intrinsic::fptosi_sat:
  case Intrinsic::fptoui_sat:
  case Intrinsic::masked_load:
  case Intrinsic::masked_store:
  case Intrinsic::masked_gather:
  case Intrinsic::masked_scatter:
    return true;
  default:
    return false;
  }
}

/// Of the target's own, LLVM folds those that are rounded as their names say, and none that approximates.
static bool may_be_computed_otherwise(const CallInst& call) {
  const Function* callee = call.getCalledFunction();
  return callee != nullptr && callee->isIntrinsic() && !callee->isTargetIntrinsic() && is_of_numbers(call) &&
         !is_exact(callee->getIntrinsicID());
}

Error check_exact_results::change(Function& entry, FunctionAnalysisManager&) {
  const StringRef kernel = kernel_name(entry);
  for (const Function& function : *entry.getParent())
    for (const Instruction& instruction : instructions(function)) {
      const auto* call = dyn_cast<CallInst>(&instruction);
      if (may_be_changed(instruction) || (call != nullptr && may_be_computed_otherwise(*call)))
        return make_error<not_supported>(
            ("What kernel '" + kernel + "' computes may depend on what is known of it.").str());
    }
  return Error::success();
}

} // namespace falx::jit
