// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emission_core.hpp"

namespace falx::jit::simd {

/// Emits loops over lanes, for what has no vector form.
class lane_loops : emitter {
public:
  explicit lane_loops(emission_core& core) : emitter(core) {}

  /// \p instruction once per active lane. Only where all lanes may be active it is worth unrolling.
  void emit(llvm::Instruction& instruction, bool may_have_all_lanes = true);
  /// The quotients of all lanes, whether active or not.
  llvm::Value* divide(llvm::Instruction::BinaryOps operation, llvm::Value* dividend, llvm::Value* divisor);

private:
  llvm::Value* spill(llvm::Value* vector);

  unsigned loops_ = 0;
};

} // namespace falx::jit::simd
