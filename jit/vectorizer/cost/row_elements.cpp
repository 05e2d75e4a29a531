// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM makes vectors of the iterations of
//   for (k = 0; k < n; ++k)
//     row[k] = other[k] * factor + 1;
//   for (k = 0; k < n; ++k)
//     sum += bytes[k];                       // of integers: the order of a sum of numbers is the program's
// and not of
//     sum += values[k];                      // floating-point numbers
//     sum += values[columns[k]];             // elements anywhere
//     row[k] = row[k - 1] + 1;
//     if (key[k] == wanted) break;
// which is told by fewer rules than LoopVectorizationLegality has: what it means is that estimates are
// closer.

#include "row_elements.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/MathExtras.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include <algorithm>
#include <optional>

using namespace llvm;

namespace falx::jit::simd {

static constexpr const char* ROW_ELEMENTS = "falx.loop.row_elements";

namespace {

/// Decides for one loop.
class row_search {
public:
  row_search(const Loop& loop, ScalarEvolution& evolution, unsigned register_bits)
      : loop_(loop), evolution_(evolution), register_bits_(register_bits) {}
  unsigned elements();

private:
  bool is_counted() const;
  bool is_sum(const PHINode& phi);
  bool is_in_row(const Instruction& access);
  bool are_apart(const Instruction& store, const Instruction& other) const;
  bool takes(const Instruction& instruction);
  /// Of addresses.
  const SCEV* place_of(const Instruction& access) const {
    return evolution_.getSCEV(const_cast<Value*>(getLoadStorePointerOperand(&access)));
  }

  const Loop& loop_;
  ScalarEvolution& evolution_;
  const unsigned register_bits_;
  /// Of the widest elements.
  unsigned widest_ = 0;
  SmallVector<const Instruction*, 8> accesses_;
};

} // namespace

/// Its end is known before, and nothing in it depends on a condition.
bool row_search::is_counted() const {
  const BasicBlock *header = loop_.getHeader(), *latch = loop_.getLoopLatch(),
                   *exiting = loop_.getExitingBlock();
  return loop_.isInnermost() && latch != nullptr && (exiting == header || exiting == latch) &&
         (latch == header || (loop_.getNumBlocks() == 2 && latch->getSinglePredecessor() == header)) &&
         !isa<SCEVCouldNotCompute>(evolution_.getBackedgeTakenCount(&loop_));
}

/// A sum, or another operation, of all iterations whose order does not matter, and that none of them asks
/// for.
bool row_search::is_sum(const PHINode& phi) {
  const auto* next = dyn_cast<Instruction>(phi.getIncomingValueForBlock(loop_.getLoopLatch()));
  const bool may_be_reordered = next != nullptr && (next->isAssociative() || isa<MinMaxIntrinsic>(next));
  if (!may_be_reordered || !is_contained(next->operands(), &phi))
    return false;
  widest_ = std::max(widest_, unsigned(phi.getType()->getScalarSizeInBits()));
  return all_of(phi.users(),
                [&](const User* user) { return user == next || !loop_.contains(cast<Instruction>(user)); });
}

/// What is loaded or stored lies behind what the iteration before has, or is loaded by all.
bool row_search::is_in_row(const Instruction& access) {
  const SCEV* place = place_of(access);
  Type* type = getLoadStoreType(&access);
  if (type->isVectorTy() || type->isAggregateType() || access.isAtomic() || access.isVolatile())
    return false;
  accesses_.push_back(&access);
  if (evolution_.isLoopInvariant(place, &loop_))
    return isa<LoadInst>(access);
  const std::uint64_t bytes = access.getDataLayout().getTypeStoreSize(type);
  const auto* counted = dyn_cast<SCEVAddRecExpr>(place);
  const auto* step =
      counted != nullptr && counted->isAffine() ? dyn_cast<SCEVConstant>(counted->getOperand(1)) : nullptr;
  widest_ = std::max(widest_, unsigned(bytes * 8));
  return step != nullptr && counted->getLoop() == &loop_ && step->getAPInt().abs() == bytes;
}

/// LLVM knows, or asks before the loop.
bool row_search::are_apart(const Instruction& store, const Instruction& other) const {
  const SCEV *place = place_of(store), *of_other = place_of(other);
  return place == of_other || evolution_.getPointerBase(place) != evolution_.getPointerBase(of_other);
}

bool row_search::takes(const Instruction& instruction) {
  if (getLoadStorePointerOperand(&instruction) != nullptr)
    return is_in_row(instruction);
  const auto* call = dyn_cast<CallInst>(&instruction);
  if (call != nullptr && !isa<DbgInfoIntrinsic>(call) && !isTriviallyVectorizable(call->getIntrinsicID()))
    return false;
  return call != nullptr || !instruction.mayReadOrWriteMemory();
}

unsigned row_search::elements() {
  if (!is_counted())
    return 1;
  for (const PHINode& phi : loop_.getHeader()->phis()) {
    const auto* counted = evolution_.isSCEVable(phi.getType())
                              ? dyn_cast<SCEVAddRecExpr>(evolution_.getSCEV(const_cast<PHINode*>(&phi)))
                              : nullptr;
    if ((counted == nullptr || !counted->isAffine() || counted->getLoop() != &loop_) && !is_sum(phi))
      return 1;
  }
  for (const BasicBlock* block : loop_.blocks())
    for (const Instruction& instruction : *block)
      if (!isa<PHINode>(instruction) && !takes(instruction))
        return 1;
  for (const Instruction* store : accesses_)
    if (isa<StoreInst>(store) &&
        !all_of(accesses_, [&](const Instruction* other) { return are_apart(*store, *other); }))
      return 1;
  if (widest_ == 0)
    return 1;
  const unsigned fit = register_bits_ / widest_;
  const unsigned trips = evolution_.getSmallConstantTripCount(&loop_);
  return std::max(1U, trips == 0 ? fit : std::min<unsigned>(fit, bit_floor(trips)));
}

void note_row_elements(Loop& loop, ScalarEvolution& evolution, unsigned register_bits) {
  if (const unsigned elements = row_search(loop, evolution, register_bits).elements(); elements > 1)
    addStringMetadataToLoop(&loop, ROW_ELEMENTS, elements);
}

unsigned row_elements(const Loop& loop) {
  return unsigned(std::max(1, getOptionalIntLoopAttribute(&loop, ROW_ELEMENTS).value_or(1)));
}

} // namespace falx::jit::simd
