// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:
//   call void @llvm.masked.store.v2i32.p0(<2 x i32> %x, ptr align 4 %at, <2 x i1> <i1 false, i1 true>)
// After:
//   %lane = extractelement <2 x i32> %x, i64 1
//   %place = getelementptr inbounds i32, ptr %at, i64 1
//   store i32 %lane, ptr %place, align 4
//
// For AVX-512 LLVM 22 makes one masked store of a truncation and a masked store of vectors. If the mask then
// has one lane, it becomes a store of that lane before it is truncated: of 8 bytes where there are 4. Masks
// of one lane are those of a group's rest, if the JIT knows the local range.

#include "workarounds.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <optional>

using namespace llvm;

namespace falx::jit {

/// The only lane that is set, where those that may be anything are not; nothing if there are others, or it is
/// not known.
static std::optional<unsigned> only_lane(const Value* mask) {
  const auto* constant = dyn_cast<Constant>(mask);
  if (constant == nullptr)
    return std::nullopt;
  std::optional<unsigned> only;
  for (unsigned lane = 0; lane < cast<FixedVectorType>(mask->getType())->getNumElements(); ++lane) {
    const Constant* active = constant->getAggregateElement(lane);
    if (active != nullptr && (active->isNullValue() || isa<UndefValue>(active)))
      continue;
    if (active == nullptr || !active->isOneValue() || only)
      return std::nullopt;
    only = lane;
  }
  return only;
}

static void store_lane(IntrinsicInst& store, unsigned lane) {
  IRBuilder<> builder(&store);
  Value *vector = store.getArgOperand(0), *at = store.getArgOperand(1);
  Type* element = cast<FixedVectorType>(vector->getType())->getElementType();
  const std::uint64_t offset = lane * store.getDataLayout().getTypeStoreSize(element);
  Value* place = lane == 0 ? at : builder.CreateConstInBoundsGEP1_64(element, at, lane);
  StoreInst* one = builder.CreateAlignedStore(builder.CreateExtractElement(vector, lane), place,
                                              commonAlignment(store.getParamAlign(1).valueOrOne(), offset));
  one->copyMetadata(store);
  store.eraseFromParent();
}

PreservedAnalyses take_single_lanes::run(Function& function, FunctionAnalysisManager&) {
  for (Instruction& instruction : make_early_inc_range(instructions(function)))
    if (auto* store = dyn_cast<IntrinsicInst>(&instruction);
        store != nullptr && store->getIntrinsicID() == Intrinsic::masked_store)
      if (const std::optional<unsigned> lane = only_lane(store->getArgOperand(2)))
        store_lane(*store, *lane);
  return PreservedAnalyses::none();
}

} // namespace falx::jit
