// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

namespace falx::jit::simd {

/// Is there an intrinsic that does for a vector what the call does for one value, in instructions and not in
/// calls per element, or a function for vectors?
bool has_vector_form(const llvm::CallInst& call);

/// \p operand gives an argument's vector; those that intrinsics take as scalars are used as they are.
llvm::Value* emit_vector_form(llvm::IRBuilder<>& builder, const llvm::CallInst& call, unsigned lanes,
                              llvm::function_ref<llvm::Value*(llvm::Value*)> operand);

} // namespace falx::jit::simd
