// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "masked_access.hpp"
#include "vectorizer/cost/access_costs.hpp"

#include <llvm/IR/Constants.h>

using namespace llvm;

namespace falx::jit::simd {

masked_access::masked_access(IntrinsicInst& call) : call(call) {
  const Intrinsic::ID id = call.getIntrinsicID();
  is_load = id == Intrinsic::masked_load || id == Intrinsic::masked_gather;
  is_scattered = id == Intrinsic::masked_gather || id == Intrinsic::masked_scatter;
  if (!is_load && !is_scattered && id != Intrinsic::masked_store)
    return;
  address = is_load ? 0 : 1;
  type = dyn_cast<FixedVectorType>(is_load ? call.getType() : call.getArgOperand(0)->getType());
  alignment = call.getParamAlign(address).valueOrOne();
  at = call.getArgOperand(address);
  mask = call.getArgOperand(address + 1);
}

bool masked_access::would_branch(const TargetTransformInfo& target) const {
  return is_taken_apart(target) && !isa<Constant>(mask);
}

bool masked_access::is_taken_apart(const TargetTransformInfo& target) const {
  if (type == nullptr)
    return false;
  if (is_scattered)
    return !access_costs(target).has_scattered(is_load, *type->getElementType(), alignment,
                                               type->getNumElements());
  return !(is_load ? target.isLegalMaskedLoad(type, alignment, 0)
                   : target.isLegalMaskedStore(type, alignment, 0));
}

} // namespace falx::jit::simd
