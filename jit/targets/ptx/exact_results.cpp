// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code that knows captured integers takes the place of code that does not while the program runs
// (runtime/kernels/kernel_improvement.hpp, learned_form). What either computes is the same: operations of
// IEEE 754 are rounded in one way, whether LLVM folds them or the device runs them, and loops are unrolled
// without changing the order of sums. That is not so
// - where flags let LLVM contract or rearrange, which it does as operations come to lie;
// - of functions that LLVM has as intrinsics and computes as the host's library does, if operands are
//   constants, but the device approximates: llvm.exp2, llvm.sin;
// - of a product and a sum that the program has as one, llvm.fmuladd, if LLVM comes to know both factors: it
//   rounds the product, where the device has one instruction. Of these one factor has to be from memory;
// - where denormal numbers are taken for 0: LLVM makes x of x * 1.

#include "frontend/builtin_calls.hpp"
#include "frontend/kernel_attributes.hpp"
#include "passes.hpp"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>

using namespace llvm;
using namespace llvm::PatternMatch;

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

/// Might LLVM compute \p value, if it knew all integers? Not if it is from memory, or of operations with
/// such numbers, which have no simpler form without flags.
static bool may_be_known(const Value& value, SmallPtrSetImpl<const Value*>& seen) {
  if (!seen.insert(&value).second)
    return false; // in a loop: the other ways into it decide
  const auto any_operand = [&](bool (*wanted)(bool), const User& user) {
    return any_of(user.operand_values(), [&](const Value* operand) {
      return operand->getType()->isFPOrFPVectorTy() && wanted(may_be_known(*operand, seen));
    });
  };
  const auto yes = [](bool known) { return known; };
  const auto no = [](bool known) { return !known; };
  if (const auto* load = dyn_cast<LoadInst>(&value)) {
    const Value* object = getUnderlyingObject(load->getPointerOperand());
    const auto* variable = dyn_cast<GlobalVariable>(object);
    return isa<AllocaInst>(object) || (variable != nullptr && variable->isConstant());
  }
  if (isa<PHINode, SelectInst>(value))
    return any_operand(yes, cast<User>(value));
  const auto* call = dyn_cast<IntrinsicInst>(&value);
  const bool is_operation =
      isa<BinaryOperator, UnaryOperator, FPTruncInst, FPExtInst>(value) ||
      (call != nullptr && is_contained({Intrinsic::fma, Intrinsic::fmuladd, Intrinsic::sqrt, Intrinsic::fabs},
                                       call->getIntrinsicID()));
  return !is_operation || !any_operand(no, cast<User>(value));
}

static bool may_be_rounded_twice(const CallInst& call) {
  if (!match(&call, m_Intrinsic<Intrinsic::fmuladd>()))
    return false;
  return all_of(ArrayRef<unsigned>{0, 1}, [&](unsigned factor) {
    SmallPtrSet<const Value*, 16> seen;
    return may_be_known(*call.getArgOperand(factor), seen);
  });
}

Error check_exact_results::change(Function& entry, FunctionAnalysisManager&) {
  const StringRef kernel = kernel_name(entry);
  const auto refusal = [&] {
    return make_error<not_supported>(
        ("What kernel '" + kernel + "' computes may depend on what is known of it.").str());
  };
  if (kernel_attributes::read(entry).flushes_denormals)
    return refusal();
  for (const Function& function : *entry.getParent())
    for (const Instruction& instruction : instructions(function)) {
      const auto* call = dyn_cast<CallInst>(&instruction);
      if (may_be_changed(instruction) ||
          (call != nullptr && (may_be_computed_otherwise(*call) || may_be_rounded_twice(*call))))
        return refusal();
    }
  return Error::success();
}

} // namespace falx::jit
