// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emission_core.hpp"

namespace falx::jit::simd {

/// Emits the functions of sub-groups, and what lanes have together.
class sub_group_emission : emitter {
public:
  explicit sub_group_emission(emission_core& core) : emitter(core) {}

  /// \p name: without "__falx_sub_group_". \returns null if it has no result.
  llvm::Value* emit(llvm::CallInst& call, llvm::StringRef name);

private:
  llvm::Value* emit_reduction(llvm::Intrinsic::ID reduction, llvm::Value* value);
  llvm::Value* emit_shuffle(llvm::Value* value, llvm::Value* lanes);
  llvm::Value* emit_permutation(llvm::Value* value, llvm::Value* numbers);
  llvm::Value* emit_permutation_in_memory(llvm::Value* value, llvm::Value* numbers);
};

} // namespace falx::jit::simd
