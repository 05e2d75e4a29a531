// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lanes of for (i = begin + lane; i < end; i += 16) leave it one after the other, nearly at once, so a mask
// tells what is known already in all iterations but the last one or two. Before:
//   before:
//     br label %loop
//   loop:
//     %live = phi <16 x i1> [ %first, %before ], [ %stay, %latch ]
//     %stay = select <16 x i1> %live, <16 x i1> %goes.on, <16 x i1> zeroinitializer
//     br label %body
//   body:
//     %x = call <16 x float> @llvm.masked.load(ptr %at, <16 x i1> %stay, …)
// After, with a copy in front that has no masks, and one number that decides:
//   before:
//     %all = icmp eq i16 (bitcast <16 x i1> %first to i16), -1
//     br i1 %all, label %loop.whole, label %loop
//   loop.whole:
//     %all.stay = icmp ult i32 (%i.whole + 15), %end              ; and %i.whole + 15 does not wrap
//     br i1 %all.stay, label %body.whole, label %some.leave
//   body.whole:
//     %x.whole = call <16 x float> @llvm.masked.load(ptr %at.whole, <16 x i1> splat (i1 true), …)
//     …
//   some.leave:                                                    ; this iteration begins again
//     br label %loop
//   loop:
//     %live = phi <16 x i1> [ %first, %before ], [ splat (i1 true), %some.leave ], [ %stay, %latch ]
//     …
// Other loops are left when data says so: their copies would not run for long.

#include "whole_vectors.hpp"
#include "pipeline/budgets.hpp"

#include <llvm/IR/Dominators.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

using namespace llvm;

namespace falx::jit::simd {

const ICmpInst* order_of_leaving(const Loop& loop, const lane_shapes& shapes) {
  const BasicBlock* from = loop.getExitingBlock();
  const auto begins_again = [](const Instruction& each) {
    return !each.mayHaveSideEffects() && !isa<CallInst>(each);
  };
  if (!loop.isInnermost() || from != loop.getHeader() || !all_of(*from, begins_again))
    return nullptr;
  const auto* compare = dyn_cast<ICmpInst>(cast<BranchInst>(from->getTerminator())->getCondition());
  if (compare == nullptr || compare->isEquality() || !compare->getOperand(0)->getType()->isIntegerTy())
    return nullptr;
  const lane_shape left = shapes[compare->getOperand(0)], right = shapes[compare->getOperand(1)];
  if (!left.is_progression() || !right.is_progression() || left.is_uniform() == right.is_uniform())
    return nullptr;
  std::size_t size = 0;
  bool has_masks = false;
  for (const BasicBlock* block : loop.blocks()) {
    size += block->size();
    has_masks |= any_of(*block, [&](const Instruction& instruction) {
      const Value* pointer = getLoadStorePointerOperand(&instruction);
      return pointer != nullptr && !shapes[pointer].is_uniform();
    });
  }
  return has_masks && size <= MOST_RUN_WHOLE ? compare : nullptr;
}

Value* emit_all_stay(emission_core& core, const ICmpInst& order, bool stays) {
  IRBuilder<>& builder = core.builder();
  const unsigned varying = core.shapes()[order.getOperand(0)].is_uniform() ? 1 : 0;
  CmpInst::Predicate predicate = stays ? order.getPredicate() : order.getInversePredicate();
  if (varying == 1)
    predicate = CmpInst::getSwappedPredicate(predicate);
  const lane_shape shape = core.shapes()[order.getOperand(varying)];
  const unsigned bits = order.getOperand(varying)->getType()->getIntegerBitWidth();
  const bool is_signed = CmpInst::isSigned(predicate);
  const bool is_exact = is_signed ? shape.exact_signed : shape.exact_unsigned;
  const std::uint64_t last_lane = core.request().lanes - 1, stride = std::uint64_t(shape.stride);
  // Then some lane wraps, if none of them is known not to.
  const std::uint64_t furthest = maxUIntN(std::min(bits, 64U)) / std::max<std::uint64_t>(last_lane, 1);
  if (!is_exact && (shape.stride > 0 ? stride : -stride) > furthest)
    return nullptr;
  Value* first = core.values().scalar(order.getOperand(varying));
  const APInt distance = APInt(bits, stride, true, true) * last_lane;
  // Of all lanes' numbers, if none wraps, the one that is nearest to the end.
  const bool grows = shape.stride > 0, is_less = ICmpInst::isLT(predicate) || ICmpInst::isLE(predicate);
  Value* nearest = grows == is_less ? builder.CreateAdd(first, builder.getInt(distance)) : first;
  Value* stay = builder.CreateICmp(predicate, nearest, core.values().scalar(order.getOperand(1 - varying)));
  if (is_exact)
    return stay;
  const APInt least = is_signed ? APInt::getSignedMinValue(bits) : APInt::getZero(bits);
  const APInt most = is_signed ? APInt::getSignedMaxValue(bits) : APInt::getMaxValue(bits);
  Value* limit = builder.getInt((grows ? most : least) - distance);
  const CmpInst::Predicate within = is_signed ? (grows ? CmpInst::ICMP_SLE : CmpInst::ICMP_SGE)
                                              : (grows ? CmpInst::ICMP_ULE : CmpInst::ICMP_UGE);
  Value* no_lane_wraps = builder.CreateICmp(within, first, limit, "no.lane.wraps");
  return builder.CreateAnd(no_lane_wraps, stay);
}

static void run_whole_vectors_first(const emitted_loop& emitted, const Loop& loop) {
  Function& function = *emitted.header->getParent();
  BasicBlock* before = loop.getLoopPreheader();
  assert(before != nullptr && "a loop is entered from its preheader alone");
  ValueToValueMapTy copies;
  SmallVector<BasicBlock*> blocks;
  for (BasicBlock* block : loop.blocks()) {
    blocks.push_back(CloneBasicBlock(block, copies, ".whole", &function));
    copies[block] = blocks.back();
  }
  remapInstructionsInBlocks(blocks, copies);
  auto *header = cast<BasicBlock>(copies[emitted.header]), *test = cast<BasicBlock>(copies[emitted.test]);
  auto* live = cast<PHINode>(copies[emitted.live]);
  Constant* all_lanes = Constant::getAllOnesValue(live->getType());
  Value* all_stay = copies.lookup(emitted.all_stay);
  if (all_stay == nullptr)
    all_stay = emitted.all_stay;

  LLVMContext& context = function.getContext();
  BasicBlock* some_leave = BasicBlock::Create(context, emitted.header->getName() + ".some.leave", &function);
  BasicBlock* nobody_leaves = SplitBlock(test, test->getTerminator());
  IRBuilder<> builder(nobody_leaves->getTerminator());
  builder.CreateStore(all_lanes, emitted.stay);
  builder.SetInsertPoint(test->getTerminator());
  builder.CreateCondBr(all_stay, nobody_leaves, some_leave, MDBuilder(context).createLikelyBranchWeights());
  test->getTerminator()->eraseFromParent();
  builder.SetInsertPoint(some_leave);
  builder.CreateBr(emitted.header);
  for (PHINode& phi : emitted.header->phis())
    phi.addIncoming(&phi == emitted.live ? all_lanes : copies.lookup(&phi), some_leave);
  live->replaceAllUsesWith(all_lanes);
  live->eraseFromParent();

  builder.SetInsertPoint(before->getTerminator());
  Value* first = emitted.live->getIncomingValueForBlock(before);
  Type* bits = builder.getIntNTy(cast<FixedVectorType>(first->getType())->getNumElements());
  Value* all = builder.CreateICmpEQ(builder.CreateBitCast(first, bits), Constant::getAllOnesValue(bits));
  builder.CreateCondBr(all, header, emitted.header);
  before->getTerminator()->eraseFromParent();
  // Nobody has left yet.
  builder.SetInsertPoint(header, header->getFirstNonPHIIt());
  if (emitted.have_left != nullptr)
    builder.CreateStore(Constant::getNullValue(first->getType()), emitted.have_left);
  for (AllocaInst* variable : emitted.left_with)
    builder.CreateStore(PoisonValue::get(variable->getAllocatedType()), variable);
}

void run_whole_vectors_first(Function& function, ArrayRef<emitted_loop> emitted) {
  if (emitted.empty())
    return;
  // They are innermost: the copy of one changes no block of another.
  const LoopInfo loops{DominatorTree(function)};
  for (const emitted_loop& each : emitted)
    run_whole_vectors_first(each, *loops.getLoopFor(each.header));
}

} // namespace falx::jit::simd
