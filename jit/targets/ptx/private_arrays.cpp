// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:                                              After:
//   %values = alloca [8 x float]                         the same
//   ...
// loop:                                                loop:
//   %i = phi i64 [ 0, %entry ], [ %next, %loop ]         ...
//   %at = getelementptr float, ptr %values, i64 %i
//   %x = load float, ptr %at
//   ...
//   br i1 %again, label %loop, label %end                br i1 %again, label %loop, label %end, !llvm.loop !0
//                                                      !0 = distinct !{!0, !1}
//                                                      !1 = !{!"llvm.loop.unroll.full", i32 0}
//
// A GPU's registers cannot be indexed, so an array that a loop goes through is memory, in which each access
// takes tens of cycles. Once the loop is unrolled whole, the indices are constants and LLVM's SROA has the
// elements in registers; LLVM's own limits on unrolling know nothing of that. So the loop may be much longer
// than theirs if all that becomes of the array is so: small, not passed on, and accessed at indices that are
// constants, counters of loops of known length, or what a constant table has at such an index. Arrays that
// together need more registers than there are would be spilled, which is worse than memory in order: the
// smallest ones get them.

#include "passes.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/UnrollLoop.h>

using namespace llvm;

namespace falx::jit {
namespace {

/// Bytes: half of the registers that a work-item can have, and for all arrays of a kernel three quarters.
/// Where they are more, what computes with the others needs registers, too.
constexpr std::uint64_t LARGEST_ARRAY = 512, ALL_ARRAYS = 768, SOME_ARRAYS = 256;
constexpr unsigned LONGEST_LOOP = 64;
/// Of all copies together, and for each access to the arrays that is none of memory then, in the loop or
/// elsewhere: longer ones compute more than they go through arrays, and cost room in the instruction cache
/// (HeCBench's wlcpow: 600 instructions for three accesses, 0.82 of the speed).
constexpr std::uint64_t MOST_INSTRUCTIONS = 4096, INSTRUCTIONS_PER_ACCESS = 64;

unsigned trip_count(const Loop& loop, ScalarEvolution& evolution) {
  const unsigned count = evolution.getSmallConstantTripCount(&loop);
  return count <= LONGEST_LOOP ? count : 0;
}

std::uint64_t size_of(const Loop& loop) {
  std::uint64_t size = 0;
  for (const BasicBlock* block : loop.blocks())
    for (const Instruction& each : *block)
      size += !isa<PHINode>(each) && !each.isDebugOrPseudoInst() && !each.isLifetimeStartOrEnd();
  return size;
}

bool becomes_constant(Value& pointer, ScalarEvolution& evolution);

/// Where a table that is a constant is read at such an index, what is read is a constant, too.
bool is_from_table(Value& value, ScalarEvolution& evolution) {
  auto* load = dyn_cast<LoadInst>(&value);
  if (load == nullptr || load->isVolatile())
    return false;
  const auto* table = dyn_cast<GlobalVariable>(getUnderlyingObject(load->getPointerOperand()));
  return table != nullptr && table->isConstant() && table->hasDefinitiveInitializer() &&
         becomes_constant(*load->getPointerOperand(), evolution);
}

/// Is the index a constant once all loops of known length are unrolled?
bool becomes_constant(Value& pointer, ScalarEvolution& evolution) {
  return !SCEVExprContains(evolution.getSCEV(&pointer), [&](const SCEV* part) {
    if (const auto* counter = dyn_cast<SCEVAddRecExpr>(part))
      return trip_count(*counter->getLoop(), evolution) == 0;
    const auto* unknown = dyn_cast<SCEVUnknown>(part);
    return isa<SCEVCouldNotCompute>(part) ||
           (unknown != nullptr && !isa<AllocaInst, Constant>(unknown->getValue()) &&
            !is_from_table(*unknown->getValue(), evolution));
  });
}

/// What uses the array, and the pointer into it by which it does.
using array_uses = SmallVector<std::pair<Instruction*, Instruction*>>;

array_uses uses_of(AllocaInst& array) {
  array_uses uses;
  SmallVector<Instruction*> open = {&array};
  while (!open.empty()) {
    Instruction* const pointer = open.pop_back_val();
    for (User* user : pointer->users()) {
      auto* const instruction = cast<Instruction>(user);
      if (isa<GetElementPtrInst>(instruction))
        open.push_back(instruction);
      else
        uses.emplace_back(instruction, pointer);
    }
  }
  return uses;
}

/// Can all elements be in registers then?
bool can_be_registers(AllocaInst& array, ScalarEvolution& evolution) {
  const std::optional<TypeSize> size = array.getAllocationSize(array.getDataLayout());
  if (!array.isStaticAlloca() || !size || size->isScalable() || size->getFixedValue() > LARGEST_ARRAY)
    return false;
  return all_of(uses_of(array), [&](const std::pair<Instruction*, Instruction*>& use) {
    const auto& [instruction, pointer] = use;
    if (instruction->isLifetimeStartOrEnd())
      return true;
    const auto* store = dyn_cast<StoreInst>(instruction);
    const bool is_access = (isa<LoadInst>(instruction) && !instruction->isVolatile()) ||
                           (store != nullptr && store->getValueOperand() != pointer && !store->isVolatile());
    const auto* memory = dyn_cast<MemIntrinsic>(instruction);
    if (!is_access && (memory == nullptr || memory->isVolatile() || !isa<ConstantInt>(memory->getLength())))
      return false;
    return becomes_constant(*pointer, evolution);
  });
}

/// The arrays of a function that can be registers, and whether they are to be.
SmallDenseMap<const AllocaInst*, bool, 8> arrays_for_registers(Function& function,
                                                               ScalarEvolution& evolution) {
  SmallVector<std::tuple<std::uint64_t, std::size_t, const AllocaInst*>>
      arrays; // bytes, place in the function
  for (Instruction& instruction : function.getEntryBlock())
    if (auto* array = dyn_cast<AllocaInst>(&instruction); array != nullptr &&
                                                          array->getAllocatedType()->isAggregateType() &&
                                                          can_be_registers(*array, evolution))
      arrays.emplace_back(array->getAllocationSize(array->getDataLayout())->getFixedValue(), arrays.size(),
                          array);
  llvm::sort(arrays);
  std::uint64_t all = 0, size = 0;
  for (const auto& each : arrays)
    all += std::get<0>(each);
  SmallDenseMap<const AllocaInst*, bool, 8> result;
  for (const auto& [bytes, place, array] : arrays) {
    size += bytes;
    result[array] = all <= ALL_ARRAYS || size <= SOME_ARRAYS;
  }
  return result;
}

/// Loads and stores outside of the loop that lead to an array.
std::uint64_t accesses_elsewhere(AllocaInst& array, const Loop& loop) {
  return count_if(uses_of(array), [&](const std::pair<Instruction*, Instruction*>& use) {
    return isa<LoadInst, StoreInst>(use.first) && !loop.contains(use.first);
  });
}

} // namespace

PreservedAnalyses unroll_for_registers::run(Loop& loop, LoopAnalysisManager&,
                                            LoopStandardAnalysisResults& analyses, LPMUpdater&) {
  ScalarEvolution& evolution = analyses.SE;
  const unsigned count = trip_count(loop, evolution);
  const std::uint64_t size = size_of(loop);
  if (count < 2 || count * size > MOST_INSTRUCTIONS || hasUnrollTransformation(&loop) != TM_Unspecified)
    return PreservedAnalyses::all();
  std::optional<SmallDenseMap<const AllocaInst*, bool, 8>> arrays;
  std::uint64_t accesses = 0; // of all iterations
  SmallPtrSet<AllocaInst*, 8> unrolled;
  for (BasicBlock* block : loop.blocks())
    for (Instruction& access : *block) {
      Value* const pointer = getLoadStorePointerOperand(&access);
      if (pointer == nullptr)
        continue;
      auto* const array = dyn_cast<AllocaInst>(getUnderlyingObject(pointer));
      if (array == nullptr || evolution.isLoopInvariant(evolution.getSCEV(pointer), &loop))
        continue;
      if (!arrays)
        arrays = arrays_for_registers(*block->getParent(), evolution);
      const auto found = arrays->find(array);
      if (found != arrays->end() && !found->second)
        return PreservedAnalyses::all(); // it would be in registers, too
      if (found == arrays->end())
        continue;
      accesses += count;
      unrolled.insert(array);
    }
  for (AllocaInst* array : unrolled)
    accesses += accesses_elsewhere(*array, loop);
  if (accesses != 0 && count * size <= accesses * INSTRUCTIONS_PER_ACCESS)
    addStringMetadataToLoop(&loop, "llvm.loop.unroll.full");
  return PreservedAnalyses::all(); // analyses know nothing of metadata
}

} // namespace falx::jit
