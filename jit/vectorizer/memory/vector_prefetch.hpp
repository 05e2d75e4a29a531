// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "vectorizer/emission/lane_loops.hpp"

namespace falx::jit::simd {

/// Emits prefetches.
class prefetch_emission : emitter {
public:
  prefetch_emission(emission_core& core, lane_loops& loops) : emitter(core), loops_(loops) {}
  void emit(llvm::CallInst& prefetch);

private:
  void emit_every_lane(llvm::CallInst& prefetch);

  lane_loops& loops_;
};

} // namespace falx::jit::simd
