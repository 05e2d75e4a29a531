// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace falx::jit {

/// LLVM's InferAddressSpaces for code that LLVM's middle end still optimises: variables of a function stay
/// generic.
class infer_address_spaces : public llvm::PassInfoMixin<infer_address_spaces> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

#ifndef NDEBUG
/// For an assertion: nothing but a variable of its own is taken for local memory. Any other address that LLVM
/// makes one of local memory is read in the wrong place, without a word.
bool local_memory_is_variables(const llvm::Module& module);
#endif

} // namespace falx::jit
