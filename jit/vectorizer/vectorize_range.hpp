// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace falx::jit::simd {

/// Of the vector form of a kernel of kind range: the name of the function for a sub-group's lanes, for what
/// does not fill the vector. It is there if the vector has more lanes than a sub-group has work-items.
constexpr const char* REST = "falx-rest";

/// Makes the vector form of a kernel of kind range whose attributes name lanes. Fails as vectorize does.
struct vectorize_range : llvm::PassInfoMixin<vectorize_range> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace falx::jit::simd
