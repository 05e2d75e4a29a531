// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "vectorizer/vectorize_function.hpp"

#include <llvm/Analysis/TargetTransformInfo.h>

namespace falx::jit::simd {

/// Of which sizes \p target gathers and scatters elements of vectors of \p lanes with an instruction. Bit n
/// stands for 2 to the power of n bytes.
scattered_sizes sizes_of_scattered_accesses(const llvm::TargetTransformInfo& target,
                                            llvm::LLVMContext& context, unsigned lanes);

/// Marks the loads and stores for which the target would make a branch per lane if their addresses are
/// scattered, provided that there are many of them.
void find_branching_accesses(llvm::Function& work_item, const scattered_sizes& with_instruction);

/// Takes the mark away: the access is made of vectors.
void unmark_branching_access(llvm::Instruction& access);

/// find_branching_accesses marked it.
bool is_branching_access(const llvm::Instruction& access);

} // namespace falx::jit::simd
