// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loops around a vector function:
//   for (%first = 0; %first + 16 <= %size; %first += 16)
//     call void @kernel.lanes(…, i64 %first, …, <16 x i1> splat (i1 true))
//   if (%size % 16 != 0)
//     call void @kernel.lanes(…, i64 %first, …, <16 x i1> %number < %size % 16)
//
// Both calls are inlined; in the first one all that the constant mask touches becomes unmasked. The second
// one is of a copy whose large loops LLVM is not to unroll: it runs once at most. A large function would take
// twice as long to compile for the few masks that this saves, so there is only one call of it:
//   for (%first = 0; %first < %size; %first += 16)
//     call void @kernel.lanes(…, i64 %first, …, <16 x i1> %number < %size - %first)
// That is how the rest goes, too, where several sub-groups run as one vector (interleave_count): as vectors
// of one sub-group each.

#include "pipeline/budgets.hpp"
#include "vector_parts.hpp"
#include "vectorizer/memory/masked_access.hpp"
#include "work_item_loops.hpp"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <cassert>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace falx::jit {

/// The first \p count of \p lanes lanes, or all if there are not so many.
static Value* first_lanes(IRBuilder<>& builder, unsigned lanes, Value* count) {
  assert(lanes <= 255 && "the number of lanes is a byte");
  count = builder.CreateBinaryIntrinsic(Intrinsic::umin, count, builder.getInt64(lanes));
  count = builder.CreateVectorSplat(lanes, builder.CreateTrunc(count, builder.getInt8Ty()));
  return builder.CreateICmpULT(builder.CreateStepVector(count->getType()), count, "active");
}

static bool is_taken_apart(const Instruction& instruction) {
  if (const auto* intrinsic = dyn_cast<IntrinsicInst>(&instruction)) {
    const Intrinsic::ID id = intrinsic->getIntrinsicID();
    const auto* operand = dyn_cast<VectorType>(intrinsic->getOperand(0)->getType());
    const bool reduces = operand != nullptr && operand->getElementType() == intrinsic->getType();
    return reduces || id == Intrinsic::masked_gather || id == Intrinsic::masked_scatter;
  }
  return instruction.isIntDivRem() && instruction.getType()->isVectorTy();
}

/// One that takes the number of the lowest lane that is left, or divides lane after lane, as
/// simd::lane_loops makes them.
static bool is_loop_over_lanes(const BasicBlock& block) {
  return is_contained(successors(&block), &block) && any_of(block, [](const Instruction& instruction) {
           const auto* intrinsic = dyn_cast<IntrinsicInst>(&instruction);
           return instruction.isIntDivRem() ||
                  (intrinsic != nullptr && intrinsic->getIntrinsicID() == Intrinsic::cttz);
         });
}

bool repays_two_copies(Function& vector_function, const TargetTransformInfo& target) {
  // With all lanes, %active and what follows from it are constants.
  SmallPtrSet<const Value*, 32> masks{vector_function.getArg(vector_function.arg_size() - 1)};
  unsigned size = 0, of_masks = 0;
  for (BasicBlock& block : vector_function) {
    size += is_loop_over_lanes(block) ? SIZE_OF_LANE_LOOP : 0;
    for (Instruction& instruction : block) {
      const auto is_known = [&](const Value* value) { return isa<Constant>(value) || masks.contains(value); };
      if (!isa<PHINode>(instruction) && instruction.getType()->isIntOrIntVectorTy(1) &&
          all_of(instruction.operands(), is_known)) {
        masks.insert(&instruction);
        continue;
      }
      // Constant distances are part of what accesses them.
      if (const auto* address = dyn_cast<GetElementPtrInst>(&instruction);
          address != nullptr && address->hasAllConstantIndices())
        continue;
      size += is_taken_apart(instruction) ? SIZE_BY_LANES : 1;
      // Lane by lane under a mask each address is taken out of a vector, and a lane that is not active has
      // another.
      if (auto* intrinsic = dyn_cast<IntrinsicInst>(&instruction))
        if (const simd::masked_access access(*intrinsic);
            access.mask != nullptr && is_known(access.mask) && access.is_taken_apart(target))
          of_masks += SIZE_BY_LANES;
    }
  }
  return size < LARGE_VECTOR_FUNCTION || (2 * of_masks >= size && size < LARGE_MASKED_FUNCTION);
}

bool keep_large_loops_whole(Function& rest) {
  const DominatorTree dominators(rest);
  const LoopInfo loops(dominators);
  bool has_any = false;
  for (Loop* loop : loops.getLoopsInPreorder()) {
    std::size_t size = 0;
    for (const BasicBlock* block : loop->blocks())
      size += block->size();
    if (size <= LARGE_REST_LOOP)
      continue;
    loop->setLoopAlreadyUnrolled();
    has_any = true;
  }
  return has_any;
}

/// The last call for lanes \p active in \p block goes to the function that is for some lanes, if there is
/// one, or to one of its own, if that has large loops.
static void call_copy_for_rest(BasicBlock& block, const Value* active) {
  for (Instruction& instruction : reverse(block)) {
    auto* call = dyn_cast<CallInst>(&instruction);
    if (call == nullptr || call->getCalledFunction() == nullptr ||
        call->getCalledFunction()->isDeclaration() || call->arg_empty() ||
        call->getArgOperand(call->arg_size() - 1) != active)
      continue;
    if (const Attribute masked = call->getCalledFunction()->getFnAttribute(simd::MASKED_FORM);
        masked.isValid())
      return call->setCalledFunction(block.getModule()->getFunction(masked.getValueAsString()));
    ValueToValueMapTy map;
    Function* copy = CloneFunction(call->getCalledFunction(), map);
    if (!keep_large_loops_whole(*copy))
      return copy->eraseFromParent();
    copy->setName(call->getCalledFunction()->getName() + ".rest");
    copy->removeFnAttr("falx-kind");
    return call->setCalledFunction(copy);
  }
}

void emit_lanes_loop(IRBuilder<>& builder, Value* begin, Value* end, unsigned lanes, bool two_copies,
                     const Twine& name, lanes_loop_body body, lanes_rest_emission emit_rest) {
  auto* mask = FixedVectorType::get(builder.getInt1Ty(), lanes);
  Value* width = builder.getInt64(lanes);
  Value* size = builder.CreateSub(end, begin, "size", true, true);
  Value *full = builder.CreateUDiv(size, width, "full"), *rest = builder.CreateURem(size, width, "rest");
  const auto is_zero = [](const Value* value) { return match(value, m_Zero()); };
  const auto first_of = [&](IRBuilder<>& at, Value* number) {
    return at.CreateAdd(begin, at.CreateMul(number, width, "", true, true), name + ".first", true, true);
  };
  if (!two_copies && !is_zero(full) && !is_zero(rest)) {
    Value* count = builder.CreateUDiv(builder.CreateAdd(size, builder.getInt64(lanes - 1), "", true), width);
    emit_loop(builder, builder.getInt64(0), count, !isa<Constant>(count),
              around_vectors(builder.getContext()), name, [&](IRBuilder<>& at, Value* number) {
                Value* first = first_of(at, number);
                body(at, first, first_lanes(at, lanes, at.CreateSub(end, first, "left", true, true)));
              });
    return;
  }
  if (!is_zero(full))
    emit_loop(builder, builder.getInt64(0), full, !isa<Constant>(full), around_vectors(builder.getContext()),
              name, [&](IRBuilder<>& at, Value* number) {
                body(at, first_of(at, number), Constant::getAllOnesValue(mask));
              });
  if (is_zero(rest))
    return;
  if (emit_rest)
    return emit_rest(builder, first_of(builder, full));
  BasicBlock* after = nullptr;
  if (!isa<Constant>(rest)) {
    Function* function = builder.GetInsertBlock()->getParent();
    BasicBlock* some = BasicBlock::Create(builder.getContext(), name + ".rest", function);
    after = BasicBlock::Create(builder.getContext(), name + ".rest.end", function);
    builder.CreateCondBr(builder.CreateIsNotNull(rest), some, after);
    builder.SetInsertPoint(some);
  }
  Value* active = first_lanes(builder, lanes, rest);
  body(builder, first_of(builder, full), active);
  call_copy_for_rest(*builder.GetInsertBlock(), active);
  if (after != nullptr) {
    builder.CreateBr(after);
    after->moveAfter(builder.GetInsertBlock());
    builder.SetInsertPoint(after);
  }
}

bool has_rows_of(const kernel_attributes& attributes, unsigned lanes) {
  if (attributes.dimensions == 1)
    return true;
  const std::uint32_t* range = attributes.local_range;
  return range[0] != 0 && (range[0] % lanes == 0 || (range[1] == 1 && range[2] == 1));
}

void emit_lanes_loops(IRBuilder<>& builder, Function& group, unsigned lanes, bool two_copies,
                      lanes_body body) {
  const kernel_attributes attributes = kernel_attributes::read(group);
  Value *range[3], *zero = builder.getInt64(0);
  for (unsigned axis = 0; axis < 3; ++axis)
    range[axis] = local_range(builder, group, attributes, axis);
  const bool has_rows = has_rows_of(attributes, lanes);
  const bool is_one_row = !has_rows || (range[1] == builder.getInt64(1) && range[2] == builder.getInt64(1));
  if (is_one_row) {
    Value* plane = builder.CreateMul(range[0], range[1], "", true, true);
    emit_lanes_loop(builder, zero, builder.CreateMul(plane, range[2], "", true, true), lanes, two_copies,
                    "lanes", [&](IRBuilder<>& at, Value* first, Value* active) {
                      body(at, {{has_rows ? first : zero, zero, zero}, first}, active);
                    });
    return;
  }
  // Of rows that are one vector the loop over y is the innermost one.
  LLVMContext& context = builder.getContext();
  MDNode* over_rows = around_vectors(context, /*may_be_unrolled=*/range[0] == builder.getInt64(lanes));
  emit_row_loops(builder, range, around_vectors(context), over_rows,
                 [&](IRBuilder<>& in_row, Value* y, Value* z, Value* row) {
                   emit_lanes_loop(in_row, zero, range[0], lanes, two_copies, "lanes",
                                   [&](IRBuilder<>& at, Value* x, Value* active) {
                                     Value* linear = at.CreateAdd(row, x, "linear", true, true);
                                     body(at, {{x, y, z}, linear}, active);
                                   });
                 });
}

} // namespace falx::jit
