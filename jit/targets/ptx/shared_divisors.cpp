// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before, %n from outside of the loop:           After, in front of the loop:
//   %p = fdiv float %a, %n                         %y = …                        ; 1 / %n, refined
//   %b = load float, ptr addrspace(1) %at          %is_usual = …                 ; is %n of usual size?
//   %q = fdiv float %b, %n                       In the loop:
//   %s = fadd float %p, %q                         %b = load float, ptr addrspace(1) %at
//                                                  %p.0 = fmul float %a, %y
//                                                  %p.e = fma(%n, %p.0, -%a)
//                                                  %p.fast = fma(-%y, %p.e, %p.0)
//                                                  …                             ; %q.fast, likewise
//                                                  %all = …                      ; and are %a and %b?
//                                                  br i1 %all, label %behind, label %rare, !prof !likely
//                                                rare:
//                                                  %p.rare = fdiv float %a, %n
//                                                  %q.rare = fdiv float %b, %n
//                                                  br label %behind
//                                                behind:
//                                                  %p = phi float [ %p.fast, … ], [ %p.rare, %rare ]
//                                                  %q = phi float [ %q.fast, … ], [ %q.rare, %rare ]
//                                                  %s = fadd float %p, %q
//
// The assembler's own code for a quotient estimates and refines the reciprocal of the divisor anew for each
// dividend, with a test whether the operands are rare and a jump, across which it moves no instruction.
// Quotients by the same number have one reciprocal, and those whose dividends are there at the same time have
// one jump. The steps are the assembler's own, so the quotients are the correctly rounded ones.
//
// Of usual size are dividends from 2^-90 to 2^62 of float and divisors from 2^-62 to 2^34: the quotient is a
// normal number then, and so is the rest, or zero. Of double they are what the upper halves tell, as numbers
// of float, whose comparison does not take the time of doubles'. A rest of zero is positive. Where the
// dividend is zero, it is taken off a guess of zero, whose sign is the quotient's unless the divisor is
// negative: zeros by negative divisors are rare, too (of double, positive ones).
//
// The reciprocal of a constant is a constant, so that one quotient of double is enough; outside of loops if
// what is rare does not make the kernel too large for the cache. By a negative constant the negated dividend
// is divided.

#include "cost_model.hpp"
#include "passes.hpp"
#include "ptx_ir.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <cmath>
#include <cstdint>
#include <utility>

using namespace llvm;

namespace falx::jit {
namespace {

/// Exponents from which to which numbers are of usual size. Those of dividends less those of divisors, and
/// those of dividends less the digits, are normal numbers'.
struct usual_exponents {
  int least_dividend, largest_dividend, least_divisor, largest_divisor;
};
constexpr usual_exponents OF_FLOAT{-90, 62, -62, 34}, OF_DOUBLE{-800, 500, -500, 200};

const usual_exponents& exponents_of(const Type& type) {
  return type.isFloatTy() ? OF_FLOAT : OF_DOUBLE;
}

/// The float that compares with others as the upper half of 2^\p exponent, of double, does.
float upper_half(int exponent) {
  constexpr unsigned WORD = 32;
  const std::uint64_t bits = bit_cast<std::uint64_t>(std::ldexp(1.0, exponent));
  return bit_cast<float>(static_cast<std::uint32_t>(bits >> WORD));
}

bool is_usual_divisor(const ConstantFP& divisor) {
  const usual_exponents& usual = exponents_of(*divisor.getType());
  const APFloat& value = divisor.getValueAPF();
  return value.isFiniteNonZero() && ilogb(value) >= usual.least_divisor &&
         ilogb(value) < usual.largest_divisor;
}

/// Is it one of which the assembler makes a jump, and that has to be exact?
bool is_exact_quotient(const Instruction& instruction) {
  const Type& type = *instruction.getType();
  if (instruction.getOpcode() != Instruction::FDiv || !(type.isFloatTy() || type.isDoubleTy()) ||
      is_approximate(instruction) || instruction.hasAllowReciprocal())
    return false;
  const auto* constant = dyn_cast<ConstantFP>(instruction.getOperand(1));
  return constant != nullptr ? is_usual_divisor(*constant) : !isa<Constant>(instruction.getOperand(1));
}

/// What quotients by the same divisor share.
struct shared_divisor {
  Value* reciprocal = nullptr;
  Value* is_usual = nullptr;
  Value* is_positive = nullptr;
};

/// The steps of quotients, in the assembler's order.
class quotient_steps {
public:
  explicit quotient_steps(Instruction& place) : builder_(&place) {}

  shared_divisor share(Value* divisor) {
    if (const auto* constant = dyn_cast<ConstantFP>(divisor)) {
      APFloat inverse(constant->getValueAPF().getSemantics(), 1);
      inverse.divide(constant->getValueAPF(), APFloat::rmNearestTiesToEven);
      return {ConstantFP::get(divisor->getType(), inverse), builder_.getTrue(),
              divisor->getType()->isFloatTy() ? builder_.getTrue() : nullptr};
    }
    const usual_exponents& usual = exponents_of(*divisor->getType());
    Value* zero = ConstantFP::getZero(divisor->getType());
    return {reciprocal(divisor), is_within(divisor, usual.least_divisor, usual.largest_divisor),
            divisor->getType()->isFloatTy() ? builder_.CreateFCmpOGT(divisor, zero) : nullptr};
  }

  Value* quotient(Value* dividend, Value* divisor, const shared_divisor& shared) {
    Value* guess = builder_.CreateFMul(dividend, shared.reciprocal);
    Value* rest = fma(divisor, guess, builder_.CreateFNeg(dividend));
    return fma(builder_.CreateFNeg(shared.reciprocal), rest, guess);
  }

  Value* is_usual_dividend(Value* dividend, Value* divisor, const shared_divisor& shared) {
    const usual_exponents& usual = exponents_of(*dividend->getType());
    return is_within(dividend, usual.least_dividend, usual.largest_dividend,
                     is_right_zero(dividend, divisor, shared));
  }

  IRBuilder<>& builder() { return builder_; }

private:
  static constexpr unsigned WORD = 32;

  Value* fma(Value* a, Value* b, Value* c) {
    return builder_.CreateIntrinsic(Intrinsic::fma, {a->getType()}, {a, b, c});
  }
  Value* bits_of(Value* value) {
    return builder_.CreateBitCast(value, builder_.getIntNTy(value->getType()->getScalarSizeInBits()));
  }

  /// Off by less than a unit in the last place. The estimate of double has 20 bits, of a number that the last
  /// bit makes larger.
  Value* reciprocal(Value* divisor) {
    Type* type = divisor->getType();
    Value* one = ConstantFP::get(type, 1);
    Value* minus = builder_.CreateFNeg(divisor);
    if (type->isFloatTy()) {
      Value* estimate = builder_.CreateIntrinsic(Intrinsic::nvvm_rcp_approx_ftz_f, {divisor});
      return fma(estimate, fma(minus, estimate, one), estimate);
    }
    Value* estimate = builder_.CreateIntrinsic(Intrinsic::nvvm_rcp_approx_ftz_d, {divisor});
    estimate = builder_.CreateBitCast(builder_.CreateOr(bits_of(estimate), 1), type);
    Value* error = fma(minus, estimate, one);
    Value* refined = fma(estimate, fma(error, error, error), estimate);
    return fma(refined, fma(minus, refined, one), refined);
  }

  /// A zero whose quotient has the right sign. Doubles are compared as integers.
  Value* is_right_zero(Value* dividend, Value* divisor, const shared_divisor& shared) {
    if (shared.is_positive != nullptr)
      return builder_.CreateAnd(builder_.CreateFCmpOEQ(dividend, ConstantFP::getZero(dividend->getType())),
                                shared.is_positive);
    Constant* sign = ConstantInt::get(builder_.getContext(), APInt::getSignMask(2 * WORD));
    Value* sign_if_positive = builder_.CreateAnd(builder_.CreateNot(bits_of(divisor)), sign);
    return builder_.CreateICmpEQ(builder_.CreateOr(bits_of(dividend), sign_if_positive), sign);
  }

  /// Is \p value, unless \p is_right_zero, from 2^\p least to 2^\p most?
  Value* is_within(Value* value, int least, int most, Value* is_right_zero = nullptr) {
    Value* size = size_of(value);
    const auto limit = [&](int exponent) {
      const bool is_float = value->getType()->isFloatTy();
      return ConstantFP::get(size->getType(), is_float ? std::ldexp(1.0, exponent) : upper_half(exponent));
    };
    Value* is_enough = builder_.CreateFCmpOGE(size, limit(least));
    if (is_right_zero != nullptr)
      is_enough = builder_.CreateOr(is_right_zero, is_enough);
    return builder_.CreateAnd(is_enough, builder_.CreateFCmpOLE(size, limit(most)));
  }

  /// The absolute value, or what compares as that does.
  Value* size_of(Value* value) {
    if (value->getType()->isDoubleTy()) {
      Value* upper = builder_.CreateTrunc(builder_.CreateLShr(bits_of(value), WORD), builder_.getInt32Ty());
      value = builder_.CreateBitCast(upper, builder_.getFloatTy());
    }
    // The instruction: LLVM would make an integer operation of its own intrinsic.
    return builder_.CreateIntrinsic(Intrinsic::nvvm_fabs, {value->getType()}, {value});
  }

  IRBuilder<> builder_;
};

/// Quotients of a block that are computed together, and what has to be in front of the first one for that.
struct quotient_batch {
  SmallVector<Instruction*> quotients;
  SmallSetVector<Instruction*, 16> needed;
};

class sharing {
public:
  explicit sharing(Function& function) {
    const DominatorTree dominators(function);
    const LoopInfo loops(dominators);
    unsigned size = 0;
    for (BasicBlock& block : function)
      for (Instruction& instruction : block) {
        const bool is_quotient = is_exact_quotient(instruction);
        size += is_quotient && instruction.getType()->isDoubleTy() ? QUOTIENT_INSTRUCTIONS : 1;
        if (is_quotient)
          if (Instruction* place = place_in_front_of_loops(instruction, loops))
            places_[&instruction] = place;
      }
    is_cached_ = size <= CACHED_INSTRUCTIONS;
  }

  /// Of all of \p block, and of those that it becomes.
  bool share(BasicBlock& block) {
    of_block_.clear();
    bool has_changed = false;
    for (BasicBlock* rest = &block; (rest = share_first(*rest)) != nullptr;)
      has_changed = true;
    return has_changed;
  }

private:
  /// Where the reciprocal of a divisor that loops do not change is computed; null if there is no such loop.
  static Instruction* place_in_front_of_loops(const Instruction& quotient, const LoopInfo& loops) {
    Instruction* place = nullptr;
    for (const Loop* loop = loops.getLoopFor(quotient.getParent());
         loop != nullptr && loop->isLoopInvariant(quotient.getOperand(1)); loop = loop->getParentLoop())
      if (BasicBlock* before = loop->getLoopPreheader())
        place = before->getTerminator();
    return place;
  }

  /// The block behind the first quotients of \p block that gain by it; null if none do.
  BasicBlock* share_first(BasicBlock& block) {
    for (Instruction& instruction : block)
      if (is_exact_quotient(instruction))
        if (const quotient_batch batch = choose(instruction); !batch.quotients.empty())
          return &form(batch);
    return nullptr;
  }

  /// The quotients that are computed together with \p first; none if that gains nothing.
  quotient_batch choose(Instruction& first) {
    SmallVector<Instruction*> candidates = {&first};
    stays_.clear();
    bool is_written = false;
    unsigned distance = 0;
    for (Instruction& instruction : make_range(std::next(first.getIterator()), first.getParent()->end())) {
      if (++distance > BATCH_DISTANCE)
        break;
      if (is_exact_quotient(instruction))
        candidates.push_back(&instruction);
      is_written |= instruction.mayWriteToMemory() || instruction.isAtomic() || instruction.isVolatile() ||
                    !isGuaranteedToTransferExecutionToSuccessor(&instruction);
      if (is_written && instruction.mayReadFromMemory())
        stays_.insert(&instruction);
    }
    quotient_batch batch = take(candidates);
    erase_if(candidates, [&](Instruction* candidate) { return !is_shared(*candidate, batch.quotients); });
    if (candidates.empty() || candidates.front() != &first)
      return {};
    return take(candidates);
  }

  /// Those of \p candidates that can be computed together with the first of them.
  quotient_batch take(ArrayRef<Instruction*> candidates) const {
    const Instruction& first = *candidates.front();
    quotient_batch batch;
    unsigned words = 0, values = 0;
    for (Instruction* candidate : candidates) {
      SmallSetVector<Instruction*, 16> needed = batch.needed;
      if (!all_of(candidate->operands(), [&](Value* operand) { return collect(*operand, first, needed); }))
        continue;
      const auto* dividend = dyn_cast<Instruction>(candidate->getOperand(0));
      const unsigned more_words = words_of(*candidate->getType());
      const unsigned more_values = dividend != nullptr && needed.contains(dividend) ? 2 : 1;
      if (words + more_words > BATCH_REGISTERS || values + more_values > BATCH_VALUES ||
          needed.size() > BATCH_INSTRUCTIONS)
        continue;
      batch.quotients.push_back(candidate);
      batch.needed = std::move(needed);
      words += more_words;
      values += more_values;
    }
    return batch;
  }

  /// Does \p quotient gain by a reciprocal that is there, or that enough of \p batch share?
  bool is_shared(Instruction& quotient, ArrayRef<Instruction*> batch) const {
    const Value* divisor = quotient.getOperand(1);
    if (!is_contained(batch, &quotient))
      return false;
    const auto sharers =
        count_if(batch, [&](const Instruction* other) { return other->getOperand(1) == divisor; });
    return places_.contains(&quotient) || of_block_.contains(divisor) ||
           (isa<Constant>(divisor) && quotient.getType()->isDoubleTy() && (is_cached_ || batch.size() > 1)) ||
           sharers >= (quotient.getType()->isFloatTy() ? SHARED_BY_FLOATS : SHARED_BY_DOUBLES);
  }

  /// Adds to \p needed what stands between \p first and a quotient that needs \p value. False if that has to
  /// stay where it is.
  bool collect(Value& value, const Instruction& first, SmallSetVector<Instruction*, 16>& needed) const {
    auto* instruction = dyn_cast<Instruction>(&value);
    if (instruction == nullptr || instruction->getParent() != first.getParent() ||
        instruction->comesBefore(&first) || needed.contains(instruction))
      return true;
    const auto* load = dyn_cast<LoadInst>(instruction);
    const bool may_move = load != nullptr
                              ? load->isSimple() && !stays_.contains(load)
                              : !instruction->mayReadOrWriteMemory() && !is_exact_quotient(*instruction) &&
                                    isSafeToSpeculativelyExecute(instruction);
    if (!may_move ||
        !all_of(instruction->operands(), [&](Value* operand) { return collect(*operand, first, needed); }))
      return false;
    needed.insert(instruction);
    return true;
  }

  /// The reciprocal of the divisor of \p quotient, computed in front of \p first unless it is there or is
  /// computed in front of loops.
  shared_divisor share_divisor(Instruction& quotient, Instruction& first) {
    Value* divisor = quotient.getOperand(1);
    Instruction* place = places_.lookup(&quotient);
    shared_divisor& shared = place != nullptr ? of_loops_[{divisor, place}] : of_block_[divisor];
    if (shared.reciprocal == nullptr)
      shared = quotient_steps(place != nullptr ? *place : first).share(divisor);
    return shared;
  }

  BasicBlock& form(const quotient_batch& batch) {
    Instruction& first = *batch.quotients.front();
    BasicBlock& front = *first.getParent();
    for (Instruction* needed : batch.needed)
      needed->moveBefore(first.getIterator());
    quotient_steps steps(first);
    IRBuilder<>& builder = steps.builder();
    SmallSetVector<Value*, 16> tests;
    SmallVector<Value*> fast;
    for (Instruction* quotient : batch.quotients) {
      Value *dividend = quotient->getOperand(0), *divisor = quotient->getOperand(1);
      if (const auto* constant = dyn_cast<ConstantFP>(divisor);
          constant != nullptr && constant->isNegative()) {
        dividend = builder.CreateFNeg(dividend);
        divisor = ConstantFP::get(divisor->getType(), -constant->getValueAPF());
      }
      const shared_divisor shared =
          isa<Constant>(divisor) ? steps.share(divisor) : share_divisor(*quotient, first);
      fast.push_back(steps.quotient(dividend, divisor, shared));
      tests.insert(shared.is_usual);
      tests.insert(steps.is_usual_dividend(dividend, divisor, shared));
    }
    Value* all = builder.CreateFreeze(builder.CreateAnd(tests.getArrayRef()));

    BasicBlock& behind = *SplitBlock(&front, first.getIterator());
    auto* rare = BasicBlock::Create(front.getContext(), "rare", front.getParent(), &behind);
    Instruction* jump = front.getTerminator();
    IRBuilder<>(jump).CreateCondBr(all, &behind, rare,
                                   MDBuilder(front.getContext()).createLikelyBranchWeights());
    jump->eraseFromParent();
    IRBuilder<> of_rare(rare), of_behind(&behind, behind.begin());
    for (auto [quotient, result] : zip_equal(batch.quotients, fast)) {
      // Of an operand that is from here, or LLVM would compute it in front of the jump.
      Value* dividend = quotient->getOperand(0);
      Instruction* exact = quotient->clone();
      exact->setOperand(0,
                        create_assembly(of_rare, dividend->getType(), "",
                                        dividend->getType()->isFloatTy() ? "=f,0" : "=d,0", {dividend}, ""));
      of_rare.Insert(exact);
      PHINode* merged = of_behind.CreatePHI(quotient->getType(), 2);
      merged->addIncoming(result, &front);
      merged->addIncoming(exact, rare);
      merged->takeName(quotient);
      quotient->replaceAllUsesWith(merged);
      places_.erase(quotient);
    }
    of_rare.CreateBr(&behind);
    for (Instruction* quotient : batch.quotients)
      quotient->eraseFromParent();
    bring_along(front, behind);
    return behind;
  }

  /// Copies to \p behind what code generation, which looks at one block at a time, joins with what is there.
  static void bring_along(BasicBlock& front, BasicBlock& behind) {
    SmallVector<Instruction*> joined;
    for (Instruction& instruction : front)
      if (any_of(instruction.users(),
                 [&](const User* user) { return is_joined(instruction, *user, behind); }))
        joined.push_back(&instruction);
    for (Instruction* instruction : joined) {
      Instruction* copy = instruction->clone();
      copy->insertInto(&behind, behind.getFirstInsertionPt());
      copy->setName(instruction->getName());
      instruction->replaceUsesWithIf(
          copy, [&](const Use& use) { return is_joined(*instruction, *use.getUser(), behind); });
      if (instruction->use_empty())
        instruction->eraseFromParent();
    }
  }

  static bool is_joined(const Instruction& instruction, const User& user, const BasicBlock& block) {
    const auto& its = cast<Instruction>(user);
    if (its.getParent() != &block || isa<PHINode>(its))
      return false;
    if (isa<ZExtInst, SExtInst>(instruction))
      return true;
    return instruction.getOpcode() == Instruction::FMul && instruction.hasAllowContract() &&
           (its.getOpcode() == Instruction::FAdd || its.getOpcode() == Instruction::FSub) &&
           its.hasAllowContract();
  }

  /// Does the kernel fit into the cache for instructions if each quotient has a faster way beside its own?
  bool is_cached_ = false;
  /// Of quotients whose divisor a loop around them does not change.
  DenseMap<const Instruction*, Instruction*> places_;
  /// By divisor and place, and by divisor, of the block at hand.
  DenseMap<std::pair<const Value*, const Instruction*>, shared_divisor> of_loops_;
  DenseMap<const Value*, shared_divisor> of_block_;
  /// What reads memory that may have been written since the first quotient.
  SmallPtrSet<const Instruction*, 16> stays_;
};

} // namespace

PreservedAnalyses share_divisors::run(Function& function, FunctionAnalysisManager&) {
  SmallVector<BasicBlock*> blocks;
  for (BasicBlock& block : function)
    if (any_of(block, is_exact_quotient))
      blocks.push_back(&block);
  if (blocks.empty())
    return PreservedAnalyses::all();
  sharing shared(function);
  bool has_changed = false;
  for (BasicBlock* block : blocks)
    has_changed |= shared.share(*block);
  return has_changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace falx::jit
