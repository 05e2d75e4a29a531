// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop of for (i = begin + lane; i < end; i += 16), before:
//   loop:
//     %live = phi <16 x i1> [ %first, %before ], [ %stay, %latch ]
//     …
//   latch:
//     %goes.on = icmp ult <16 x i32> (splat(%next) + <0, 1, … 15>), splat(%end)
//     %stay = and <16 x i1> %live, %goes.on
//     %none = icmp eq i16 (bitcast <16 x i1> %stay to i16), 0
//     br i1 %none, label %exit, label %loop
// After:
//   loop:
//     %live = phi <16 x i1> [ %first, %before ], [ %stay, %test ], [ %stay, %rest ]
//     %leads = phi i1 [ %first.0, %before ], [ %leads, %test ], [ false, %rest ]
//   latch:
//     …
//     %goes.on.0 = icmp ult i32 %next, %end
//     br i1 %goes.on.0, label %test, label %rest
//   test:
//     br i1 %leads, label %loop, label %rest
//   rest:
//     %none = …
//     br i1 %none, label %exit, label %loop
//
// The end of a loop comes as a surprise to the processor, which has begun the next iteration by then. It
// finds out ten clocks earlier if it need not wait for a comparison of vectors and what makes one answer of
// it. That is only tested now when the first lane does not go on, and then the answer is expected: none does.
// Rows of a sparse matrix, a sub-group for each (bench/cpu/sparse_matrix.cpp), over by hand: 1.04 with it and
// 1.08 without on AMD's family 1Ah, 1.05 to 1.11 and 1.15 on a Xeon.

#include "pipeline/branch_weights.hpp"
#include "vectorizer/analysis/rematerialisation.hpp"
#include "vectorizer/cost/cost_model.hpp"
#include "vectorizer/passes.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

#include <optional>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace falx::jit::simd {

/// What gives elements the same as vectors, whatever their flags say, and never traps.
static bool is_step(const Value* value) {
  const auto* step = dyn_cast<Instruction>(value);
  return step != nullptr && !step->isIntDivRem() &&
         isa<BinaryOperator, ICmpInst, ZExtInst, SExtInst, TruncInst>(step) &&
         all_of(step->operands(),
                [](const Use& operand) { return operand->getType()->isIntOrIntVectorTy(); });
}

/// Whether the first lane of \p vector can be had from numbers, in \p steps operations or fewer.
static bool has_first_lane(Value* vector, unsigned& steps) {
  if (findScalarElement(vector, 0) != nullptr)
    return true;
  if (!is_step(vector) || steps == 0)
    return false;
  --steps;
  return all_of(cast<Instruction>(vector)->operands(),
                [&](const Use& operand) { return has_first_lane(operand, steps); });
}

/// Of what has no first lane to be had from numbers it takes an element.
static Value* first_lane(IRBuilder<>& builder, Value& vector) {
  unsigned steps = LEADING_LANE_INSTRUCTIONS;
  if (!has_first_lane(&vector, steps))
    return builder.CreateExtractElement(&vector, std::uint64_t(0));
  const auto first = [](Value& value) { return findScalarElement(&value, 0); };
  return rematerialiser(builder, rematerialiser::flags::dropped, first).emit(vector);
}

namespace {

/// A loop's way back.
struct leading_test {
  BasicBlock *loop, *latch, *exit;
  PHINode* live;
  Value *stay, *goes_on;
};

} // namespace

static std::optional<leading_test> test_of(const Loop& loop) {
  leading_test found{loop.getHeader(), loop.getLoopLatch(), nullptr, nullptr, nullptr, nullptr};
  Value* bits = nullptr;
  CmpPredicate predicate;
  BasicBlock *yes = nullptr, *no = nullptr;
  if (found.latch == nullptr || !found.loop->hasNPredecessors(2) ||
      !match(found.latch->getTerminator(), m_Br(m_ICmp(predicate, m_Value(bits), m_Zero()), yes, no)) ||
      !ICmpInst::isEquality(predicate) || !match(bits, m_BitCast(m_Value(found.stay))))
    return std::nullopt;
  found.exit = predicate == ICmpInst::ICMP_NE ? no : yes;
  const auto* type = dyn_cast<FixedVectorType>(found.stay->getType());
  if (type == nullptr || !type->getElementType()->isIntegerTy(1) || found.loop == found.exit)
    return std::nullopt;
  Value *one = nullptr, *other = nullptr;
  if (!match(found.stay, m_LogicalAnd(m_Value(one), m_Value(other))))
    return std::nullopt;
  for (auto [live, goes_on] : {std::pair(one, other), std::pair(other, one)}) {
    auto* phi = dyn_cast<PHINode>(live);
    unsigned steps = LEADING_LANE_INSTRUCTIONS;
    if (phi == nullptr || phi->getParent() != found.loop ||
        phi->getIncomingValueForBlock(found.latch) != found.stay || isa<Constant>(goes_on) ||
        !has_first_lane(goes_on, steps))
      continue;
    found.live = phi;
    found.goes_on = goes_on;
    return found;
  }
  return std::nullopt;
}

static void emit(const leading_test& test) {
  auto* any = cast<BranchInst>(test.latch->getTerminator());
  LLVMContext& context = any->getContext();
  Function* function = test.latch->getParent();
  BasicBlock* rest = test.latch->splitBasicBlock(any, test.latch->getName() + ".rest");
  BasicBlock* first = BasicBlock::Create(context, test.latch->getName() + ".test", function, rest);
  const unsigned at_first = test.live->getIncomingBlock(0) == rest ? 1 : 0;
  BasicBlock* before = test.live->getIncomingBlock(at_first);
  PHINode* leads = PHINode::Create(Type::getInt1Ty(context), 3, "leads", test.loop->getFirstNonPHIIt());
  IRBuilder<> builder(before->getTerminator());
  leads->addIncoming(first_lane(builder, *test.live->getIncomingValue(at_first)), before);
  leads->addIncoming(ConstantInt::getFalse(context), rest);
  for (PHINode& phi : test.loop->phis())
    phi.addIncoming(&phi == leads ? leads : phi.getIncomingValueForBlock(rest), first);
  MDNode* likely = MDBuilder(context).createLikelyBranchWeights();
  builder.SetInsertPoint(test.latch->getTerminator());
  // It may be poison where the first lane has left.
  Value* goes_on = builder.CreateFreeze(first_lane(builder, *test.goes_on));
  builder.CreateCondBr(goes_on, first, rest, likely);
  test.latch->getTerminator()->eraseFromParent();
  builder.SetInsertPoint(first);
  builder.CreateCondBr(leads, test.loop, rest, likely);
  set_unlikely(*any, any->getSuccessor(0) == test.loop);
}

PreservedAnalyses test_leading_lanes::run(Function& function, FunctionAnalysisManager& analyses) {
  auto& dominators = analyses.getResult<DominatorTreeAnalysis>(function);
  SmallVector<leading_test> found;
  for (const Loop* loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder())
    if (std::optional<leading_test> here = test_of(*loop))
      found.push_back(*here);
  for (const leading_test& test : found) // behind the exit all have left
    replaceDominatedUsesWith(test.stay, Constant::getNullValue(test.stay->getType()), dominators,
                             BasicBlockEdge(test.latch, test.exit));
  for (const leading_test& test : found)
    emit(test);
  return found.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

} // namespace falx::jit::simd
