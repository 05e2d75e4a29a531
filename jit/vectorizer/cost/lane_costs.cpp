// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lane_costs.hpp"
#include "vectorizer/analysis/lane_safety.hpp"

using namespace llvm;

namespace falx::jit::simd {

operation_cost cost_in_lanes(const Instruction& instruction, const lane_shapes& shapes,
                             const cost_model& costs, unsigned lanes) {
  if (const Value* pointer = getLoadStorePointerOperand(&instruction)) {
    const lane_shape shape = shapes[pointer];
    const std::uint64_t size = instruction.getDataLayout().getTypeStoreSize(getLoadStoreType(&instruction));
    const bool is_consecutive = shape.is_progression() && std::uint64_t(shape.stride) == size;
    return costs.of_access(instruction,
                           shape.is_uniform() ? access_pattern::uniform
                           : is_consecutive   ? access_pattern::consecutive
                                              : access_pattern::scattered,
                           lanes);
  }
  const auto* call = dyn_cast<CallInst>(&instruction);
  const bool is_scalar = instruction.getType()->isVoidTy()
                             ? call != nullptr && is_dense_prefetch(*call, shapes)
                             : shapes[&instruction].is_scalar();
  return is_scalar ? costs.of_scalar(instruction) : costs.of_vector(instruction, lanes);
}

} // namespace falx::jit::simd
