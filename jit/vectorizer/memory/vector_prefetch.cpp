// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lanes' prefetches, by the shape of the address:
//   uniform             one
//   stride < 64 bytes   one per cache line, from the first lane's address to the last one's, also of lanes
//                       that are not active: that costs less than finding out, and no prefetch faults.
//   any other           one per active lane. Mostly all lanes are, which makes a straight line of code:
//                         br i1 %all, label %every.lane, label %some.lanes
//                       every.lane:
//                         call void @llvm.prefetch(extractelement %addresses, 0) …

#include "frontend/passes.hpp"
#include "memory_emission.hpp"
#include "vectorizer/analysis/lane_safety.hpp"

#include <cstdlib>

using namespace llvm;

namespace falx::jit::simd {

static void prefetch_at(IRBuilder<>& builder, CallInst& original, Value* address) {
  Instruction* copy = original.clone();
  copy->setOperand(0, address);
  copy->dropUnknownNonDebugMetadata();
  builder.Insert(copy);
}

void memory_emission::emit_prefetch(CallInst& prefetch) {
  Value* object = prefetch.getArgOperand(0);
  if (is_dense_prefetch(prefetch, shapes_)) {
    const std::int64_t line = std::int64_t(CPU_CACHE_LINE_BYTES);
    const std::int64_t stride = shapes_[object].stride;
    const std::int64_t span = std::abs(stride) * (request_.lanes - 1);
    Value* base = values_.scalar(object);
    const auto at = [&](std::int64_t offset) {
      Value* bytes = builder_.getInt64(std::uint64_t(stride < 0 ? -offset : offset));
      prefetch_at(builder_, prefetch, offset == 0 ? base : builder_.CreatePtrAdd(base, bytes));
    };
    for (std::int64_t offset = 0; offset < span; offset += line)
      at(offset);
    at(span);
    return;
  }
  Value* active = core_.bits(core_.mask());
  const auto every_lane = [&]() -> SmallVector<Value*, 2> {
    Value* addresses = values_.vector(object);
    for (unsigned lane = 0; lane < request_.lanes; ++lane)
      prefetch_at(builder_, prefetch, builder_.CreateExtractElement(addresses, lane));
    return {};
  };
  const auto some_lanes = [&]() -> SmallVector<Value*, 2> {
    loops_.emit(prefetch);
    return {};
  };
  core_.either(builder_.CreateICmpEQ(active, Constant::getAllOnesValue(active->getType())), nullptr,
               {"every.lane", every_lane}, {"some.lanes", some_lanes});
}

} // namespace falx::jit::simd
