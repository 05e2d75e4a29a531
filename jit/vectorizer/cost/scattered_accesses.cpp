// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's code for a gather or scatter that the target has no instruction for:
//   lane 0: br i1 %mask.0, …   extractelement, load, insertelement
//   lane 1: br i1 %mask.1, …
// With 16 lanes these are 100 instructions in 32 blocks, with which all later passes have to do. That is the
// fastest if all lanes are known to be active, when the branches go; a kernel with few such accesses has a
// copy where they are. In a kernel with many, a loop over the active lanes serves (vector_lanes.cpp).

#include "scattered_accesses.hpp"
#include "cost_model.hpp"

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/MathExtras.h>

using namespace llvm;

namespace falx::jit::simd {

static constexpr const char* MARK = "falx.branching";

scattered_sizes sizes_of_scattered_accesses(const TargetTransformInfo& target, LLVMContext& context,
                                            unsigned lanes) {
  scattered_sizes result{0, 0};
  for (unsigned log = 0; log < 4; ++log) {
    auto* type = FixedVectorType::get(IntegerType::get(context, 8U << log), lanes);
    const Align alignment(1ULL << log);
    if (target.isLegalMaskedGather(type, alignment) && !target.forceScalarizeMaskedGather(type, alignment))
      result.gather |= 1U << log;
    if (target.isLegalMaskedScatter(type, alignment) && !target.forceScalarizeMaskedScatter(type, alignment))
      result.scatter |= 1U << log;
  }
  return result;
}

void find_branching_accesses(Function& work_item, const scattered_sizes& with_instruction) {
  const DataLayout& layout = work_item.getDataLayout();
  SmallVector<Instruction*> found;
  for (Instruction& instruction : instructions(work_item)) {
    if (getLoadStorePointerOperand(&instruction) == nullptr)
      continue;
    const std::uint64_t size = layout.getTypeStoreSize(getLoadStoreType(&instruction));
    const unsigned sizes = isa<LoadInst>(instruction) ? with_instruction.gather : with_instruction.scatter;
    if (!isPowerOf2_64(size) || size > 8 || (sizes >> Log2_64(size) & 1) == 0)
      found.push_back(&instruction);
  }
  if (found.size() > FEW_BRANCHING_ACCESSES)
    for (Instruction* access : found)
      access->setMetadata(MARK, MDNode::get(work_item.getContext(), {}));
}

void unmark_branching_access(Instruction& access) {
  access.setMetadata(MARK, nullptr);
}

bool is_branching_access(const Instruction& access) {
  return access.hasMetadata(MARK);
}

} // namespace falx::jit::simd
