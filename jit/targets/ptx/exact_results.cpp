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

#include <llvm/ADT/DenseMap.h>
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

namespace {

/// Which numbers LLVM might compute, if it knew all integers.
class numbers_of_integers {
public:
  bool may_be_known(const Value& value, unsigned depth = 0) {
    constexpr unsigned MOST_OPERATIONS = 100;
    if (depth == MOST_OPERATIONS)
      return true;
    // While it is looked at, in a loop, it may be.
    if (const auto [place, is_new] = known_.try_emplace(&value, true); !is_new)
      return place->second;
    const bool result = find_out(value, depth);
    known_[&value] = result;
    return result;
  }

private:
  /// What is from memory is not known, nor are operations with such numbers, which have no simpler form
  /// without flags.
  bool find_out(const Value& value, unsigned depth) {
    if (const auto* load = dyn_cast<LoadInst>(&value)) {
      const Value* object = getUnderlyingObject(load->getPointerOperand());
      const auto* variable = dyn_cast<GlobalVariable>(object);
      return isa<AllocaInst>(object) || (variable != nullptr && variable->isConstant());
    }
    const auto* user = dyn_cast<User>(&value);
    const auto has_operand = [&](bool that_may_be_known) {
      return any_of(user->operand_values(), [&](const Value* operand) {
        return operand->getType()->isFPOrFPVectorTy() &&
               may_be_known(*operand, depth + 1) == that_may_be_known;
      });
    };
    if (isa<PHINode, SelectInst>(value))
      return has_operand(true);
    const auto* call = dyn_cast<IntrinsicInst>(&value);
    const bool is_operation = isa<BinaryOperator, UnaryOperator, FPTruncInst, FPExtInst>(value) ||
                              (call != nullptr && is_contained({Intrinsic::fma, Intrinsic::fmuladd,
                                                                Intrinsic::sqrt, Intrinsic::fabs},
                                                               call->getIntrinsicID()));
    return !is_operation || !has_operand(false);
  }

  DenseMap<const Value*, bool> known_;
};

} // namespace

static bool may_be_rounded_twice(const CallInst& call, numbers_of_integers& numbers) {
  return match(&call, m_Intrinsic<Intrinsic::fmuladd>()) && numbers.may_be_known(*call.getArgOperand(0)) &&
         numbers.may_be_known(*call.getArgOperand(1));
}

Error check_exact_results::change(Function& entry, FunctionAnalysisManager&) {
  const StringRef kernel = kernel_name(entry);
  const auto refusal = [&] {
    return make_error<not_supported>(
        ("What kernel '" + kernel + "' computes may depend on what is known of it.").str());
  };
  if (kernel_attributes::read(entry).flushes_denormals)
    return refusal();
  numbers_of_integers numbers;
  for (const Function& function : *entry.getParent())
    for (const Instruction& instruction : instructions(function)) {
      const auto* call = dyn_cast<CallInst>(&instruction);
      if (may_be_changed(instruction) ||
          (call != nullptr && (may_be_computed_otherwise(*call) || may_be_rounded_twice(*call, numbers))))
        return refusal();
    }
  return Error::success();
}

} // namespace falx::jit
