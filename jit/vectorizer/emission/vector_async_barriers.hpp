// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emission_core.hpp"

#include <optional>

namespace falx::jit::simd {

/// Nothing if the call does nothing to asynchronous barriers.
std::optional<lane_shape> shape_of_async_barrier_call(const llvm::CallInst& call, const lane_shapes& shapes);

/// Active lanes arrive at one barrier, or wait there: one call does it for all.
bool is_combined(const llvm::CallInst& call, const lane_shapes& shapes);

/// Emits what lanes do together at a barrier.
class async_barrier_emission : emitter {
public:
  explicit async_barrier_emission(emission_core& core) : emitter(core) {}

  /// is_combined. \returns the result, a scalar if its shape is.
  llvm::Value* emit(const llvm::CallInst& call);

private:
  llvm::Value* emit_arrivals(const llvm::CallInst& call);
  llvm::Value* emit_wait(const llvm::CallInst& call);
};

} // namespace falx::jit::simd
