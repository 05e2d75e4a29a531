// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

namespace falx::jit::simd {

/// On calls of intrinsics that the target has an instruction for, also of vectors, though other targets do
/// not.
constexpr const char* VECTOR_INSTRUCTION = "falx-vector-instruction";

/// Calls of functions of <math.h> that are one instruction, also of vectors, become intrinsics: sqrt and fma,
/// which clang leaves as calls because they may set errno.
void use_math_instructions(llvm::Function& work_item);

/// Says at every call of a mathematical function that SLEEF has for vectors, which one that is. \p level: the
/// best of "avx512f", "avx2" and "sse4" that the target has.
void find_vector_math(llvm::Function& work_item, llvm::StringRef level);

/// find_vector_math would find one.
bool is_vector_math(const llvm::CallInst& call);

/// Is there an intrinsic that does for a vector what the call does for one value, in instructions and not in
/// calls per element, or a function for vectors?
bool has_vector_form(const llvm::CallInst& call);

/// \p operand gives an argument's vector; those that intrinsics take as scalars are used as they are.
llvm::Value* emit_vector_form(llvm::IRBuilder<>& builder, const llvm::CallInst& call, unsigned lanes,
                              llvm::function_ref<llvm::Value*(llvm::Value*)> operand);

} // namespace falx::jit::simd
