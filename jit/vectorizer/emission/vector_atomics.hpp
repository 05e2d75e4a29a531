// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lane_loops.hpp"

#include <llvm/IR/Instructions.h>

namespace falx::jit::simd {

/// All active lanes' operations become one.
bool is_combined(const llvm::AtomicRMWInst& modification, const lane_shapes& shapes);

/// Lanes change objects of their own in local memory, and the old values are unused: has a short form for a
/// vector of \p lanes all of which are active (vector_local_atomics.cpp).
bool is_local_counting(const llvm::AtomicRMWInst& modification, unsigned lanes);

/// Emits changes of objects that lanes share, or of counters of their own.
class atomic_emission : emitter {
public:
  atomic_emission(emission_core& core, lane_loops& loops) : emitter(core), loops_(loops) {}

  /// is_combined.
  void emit_combined(llvm::AtomicRMWInst& modification);
  /// is_local_counting; vector_local_atomics.cpp.
  void emit_local_counting(llvm::AtomicRMWInst& modification);

private:
  llvm::Value* emit_combined_integers(llvm::AtomicRMWInst& modification);
  void emit_combined_sum(llvm::AtomicRMWInst& modification);

  lane_loops& loops_;
  unsigned local_countings_ = 0;
};

} // namespace falx::jit::simd
