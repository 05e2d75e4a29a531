// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "access_costs.hpp"
#include "cost_model.hpp"

#include <llvm/Support/MathExtras.h>

#include <algorithm>

using namespace llvm;
using TTI = TargetTransformInfo;

namespace falx::jit::simd {

/// An operation that the target has in no form is as bad as a call per lane.
static double clocks(const InstructionCost& cost) {
  return cost.isValid() ? double(cost.getValue()) : LANE_CALL;
}

/// Pointers are numbers.
static Type* element_of(const Instruction& access) {
  Type* type = getLoadStoreType(&access);
  return type->isPointerTy() ? Type::getInt64Ty(type->getContext()) : type;
}

static unsigned register_bits(const TTI& target) {
  return std::max(LEAST_REGISTER_BITS,
                  unsigned(target.getRegisterBitWidth(TTI::RGK_FixedWidthVector).getFixedValue()));
}

/// Of \p touched elements of a vector, one after the other.
static double of_elements(const TTI& target, const Instruction& access, unsigned length, unsigned touched) {
  Type* element = element_of(access);
  const bool is_load = isa<LoadInst>(access);
  const InstructionCost each =
      target.getMemoryOpCost(access.getOpcode(), element, getLoadStoreAlignment(&access), 0);
  const InstructionCost moves = target.getScalarizationOverhead(FixedVectorType::get(element, length),
                                                                APInt::getLowBitsSet(length, touched),
                                                                is_load, !is_load, TTI::TCK_RecipThroughput);
  return clocks(each) * touched + clocks(moves);
}

double access_costs::of_addresses(const Instruction& access, unsigned lanes) const {
  auto* addresses = FixedVectorType::get(Type::getInt64Ty(access.getContext()), lanes);
  return clocks(target_.getScalarizationOverhead(addresses, APInt::getAllOnes(lanes), /*Insert=*/false,
                                                 /*Extract=*/true, TTI::TCK_RecipThroughput));
}

unsigned access_costs::in_register(std::uint64_t bytes, unsigned lanes) const {
  return std::clamp(unsigned(register_bits(target_) / 8 / bytes), 1U, lanes);
}

unsigned access_costs::most_shuffled(std::uint64_t bytes, unsigned lanes) const {
  return std::clamp(unsigned(LARGEST_REGISTER_BYTES / bytes), in_register(bytes, lanes), lanes);
}

unsigned access_costs::side_by_side(std::uint64_t bytes, unsigned length, unsigned lanes) const {
  return bytes * 8 * length < LEAST_REGISTER_BITS ? 1 : in_register(bytes, lanes) / length;
}

bool access_costs::has_masks(const Instruction& access, unsigned length) const {
  auto* type = FixedVectorType::get(element_of(access), length);
  const Align alignment = getLoadStoreAlignment(&access);
  return isa<LoadInst>(access) ? target_.isLegalMaskedLoad(type, alignment, 0)
                               : target_.isLegalMaskedStore(type, alignment, 0);
}

double access_costs::of_consecutive(const Instruction& access, unsigned length, unsigned touched) const {
  if (touched < length && !has_masks(access, length))
    return of_elements(target_, access, length, touched);
  auto* type = FixedVectorType::get(element_of(access), length);
  return clocks(target_.getMemoryOpCost(access.getOpcode(), type, getLoadStoreAlignment(&access), 0));
}

double access_costs::of_mask(const Instruction& access, unsigned lanes) const {
  auto* type = FixedVectorType::get(element_of(access), lanes);
  const double whole = of_consecutive(access, lanes, lanes);
  if (!has_masks(access, lanes))
    return of_elements(target_, access, lanes, lanes) + of_addresses(access, lanes) - whole;
  const Intrinsic::ID masked = isa<LoadInst>(access) ? Intrinsic::masked_load : Intrinsic::masked_store;
  return clocks(target_.getMemIntrinsicInstrCost(
             MemIntrinsicCostAttributes(masked, type, /*VariableMask=*/true, getLoadStoreAlignment(&access)),
             TTI::TCK_RecipThroughput)) -
         whole;
}

double access_costs::of_shuffle(FixedVectorType& type, ArrayRef<int> places, bool has_two) const {
  return clocks(target_.getShuffleCost(has_two ? TTI::SK_PermuteTwoSrc : TTI::SK_PermuteSingleSrc, &type,
                                       &type, places));
}

double access_costs::of_parts(FixedVectorType& type, unsigned count) const {
  const unsigned bits = type.getNumElements() * type.getScalarSizeInBits();
  return bits >= register_bits(target_) ? 0 : count - 1;
}

bool access_costs::has_scattered(bool is_load, Type& type, Align alignment, unsigned lanes) const {
  if (!FixedVectorType::isValidElementType(&type))
    return false;
  auto* vector = FixedVectorType::get(&type, lanes);
  return is_load ? target_.isLegalMaskedGather(vector, alignment) &&
                       !target_.forceScalarizeMaskedGather(vector, alignment)
                 : target_.isLegalMaskedScatter(vector, alignment) &&
                       !target_.forceScalarizeMaskedScatter(vector, alignment);
}

double access_costs::of_scattered(const Instruction& access, unsigned lanes) const {
  auto* type = FixedVectorType::get(element_of(access), lanes);
  const Align alignment = getLoadStoreAlignment(&access);
  const bool is_load = isa<LoadInst>(access);
  if (!has_scattered(is_load, *element_of(access), alignment, lanes))
    return of_elements(target_, access, lanes, lanes) + of_addresses(access, lanes);
  return clocks(target_.getMemIntrinsicInstrCost(
      MemIntrinsicCostAttributes(is_load ? Intrinsic::masked_gather : Intrinsic::masked_scatter, type,
                                 getLoadStorePointerOperand(&access), /*VariableMask=*/false, alignment),
      TTI::TCK_RecipThroughput));
}

} // namespace falx::jit::simd
