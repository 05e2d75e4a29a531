// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "interleaving.hpp"
#include "falx/kernel.hpp"
#include "frontend/kernel_attributes.hpp"
#include "pipeline/pass_failures.hpp"
#include "vectorizer/emission/sub_group_builtins.hpp"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <cassert>

using namespace llvm;

namespace falx::jit::simd {

/// Instructions in loops up to which the values of so many vectors fit the registers.
constexpr unsigned SMALL_FOR_EIGHT = 10, SMALL_FOR_FOUR = 16, SMALL_FOR_TWO = 48;
constexpr unsigned MOST_LANES = 128;

/// \p value and what it is computed from, through memory only by way of addresses.
static SmallSetVector<const Value*, 16> sources_of(const Value& value) {
  SmallSetVector<const Value*, 16> sources;
  sources.insert(&value);
  for (unsigned next = 0; next < sources.size(); ++next)
    if (const auto* instruction = dyn_cast<Instruction>(sources[next]))
      for (const Use& operand : instruction->operands())
        if (isa<Instruction, Argument>(operand))
          sources.insert(operand);
  return sources;
}

/// It differs between a vector's work-items by where they are: along x, or also along y and z.
static bool is_from_place(const Value& value, bool in_several_rows) {
  return any_of(sources_of(value), [&](const Value* source) {
    const auto* argument = dyn_cast<Argument>(source);
    const auto is = [&](parameter which) { return argument->getArgNo() == unsigned(which); };
    return argument != nullptr && (is(parameter::index_x) || is(parameter::linear) ||
                                   (in_several_rows && (is(parameter::index_y) || is(parameter::index_z))));
  });
}

/// Its address is computed from what each work-item has loaded from an address of its own. A gather takes
/// longer than what waits for its result.
static bool is_gather(const LoadInst& load) {
  return any_of(sources_of(*load.getPointerOperand()), [&](const Value* source) {
    const auto* before = dyn_cast<LoadInst>(source);
    return before != nullptr && is_from_place(*before->getPointerOperand(), false);
  });
}

/// It does something that its sub-groups do for themselves.
static bool knows_sub_groups(const Function& work_item) {
  return any_of(instructions(work_item), [](const Instruction& instruction) {
    const auto* call = dyn_cast<CallInst>(&instruction);
    return is_order_of_lanes(instruction) || (call != nullptr && !sub_group_builtin(*call).empty());
  });
}

/// Groups hold whole such vectors, and their rows do, or vectors hold whole rows. Of several rows a vector
/// would access memory here and there in every iteration.
static bool fills_groups(const kernel_attributes& attributes, unsigned lanes, bool accesses_own) {
  const std::uint32_t* range = attributes.local_range;
  const std::uint32_t row = range[0], group = row * range[1] * range[2];
  return row != 0 && group % lanes == 0 && (row % lanes == 0 || (lanes % row == 0 && !accesses_own));
}

static unsigned interleave_count(const Function& work_item) {
  const kernel_attributes attributes = kernel_attributes::read(work_item);
  const bool has_groups = attributes.kind == std::uint32_t(kernel_kind::nd_range);
  if ((!has_groups && attributes.kind != std::uint32_t(kernel_kind::range)) || knows_sub_groups(work_item))
    return 1;
  DominatorTree dominators(const_cast<Function&>(work_item));
  const LoopInfo loops(dominators);
  unsigned in_loops = 0, words = 1;
  bool has_chain = false, accesses_own = false;
  for (const Instruction& instruction : instructions(work_item)) {
    const Loop* loop = loops.getLoopFor(instruction.getParent());
    if (loop == nullptr)
      continue;
    // Functions keep registers to themselves, private memory and atomics go lane by lane.
    if (isa<AllocaInst>(instruction) || instruction.isAtomic())
      return 1;
    if (const auto* call = dyn_cast<CallInst>(&instruction); call != nullptr && !isa<IntrinsicInst>(call))
      return 1;
    if (const auto* load = dyn_cast<LoadInst>(&instruction); load != nullptr && is_gather(*load))
      return 1;
    if (const Value* pointer = getLoadStorePointerOperand(&instruction))
      accesses_own |= is_from_place(*pointer, true);
    ++in_loops;
    if (!instruction.getType()->isFloatingPointTy())
      continue;
    if (instruction.getType()->isDoubleTy())
      words = 2;
    has_chain |= isa<PHINode>(instruction) && loop->getHeader() == instruction.getParent();
  }
  if (!has_chain)
    return 1;
  const unsigned size = in_loops * words;
  unsigned wanted = size <= SMALL_FOR_EIGHT ? 8 : size <= SMALL_FOR_FOUR ? 4 : size <= SMALL_FOR_TWO ? 2 : 1;
  wanted = std::min(wanted, MOST_LANES / attributes.sub_group_size);
  while (has_groups && wanted > 1 &&
         !fills_groups(attributes, wanted * attributes.sub_group_size, accesses_own))
    wanted /= 2;
  assert(isPowerOf2_32(wanted) && wanted * attributes.sub_group_size <= MOST_LANES && "no such vector");
  return wanted;
}

PreservedAnalyses interleave::run(Module& module, ModuleAnalysisManager& analyses) {
  return change_kernel(module, analyses, [](Function& work_item, FunctionAnalysisManager&) {
    kernel_attributes attributes = kernel_attributes::read(work_item);
    attributes.lanes = attributes.sub_group_size * interleave_count(work_item);
    attributes.write(work_item);
    return Error::success();
  });
}

} // namespace falx::jit::simd
