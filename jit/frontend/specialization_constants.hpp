// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "jit.hpp"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Support/Error.h>

namespace falx::jit {

/// Gives the variables behind the constants of the image at \p index their new bytes, before it is linked
/// with others whose variables may have the same names. Fails with a sentence if one is not there or has
/// another size.
llvm::Error set_specialization_constants(llvm::Module& image, std::size_t index,
                                         llvm::ArrayRef<specialization_constant> constants);

/// Turns the calls of __falx_specialization_constant into their argument, a constant variable: whatever
/// optimisation comes later sees the value. Fails if the argument is none.
struct lower_specialization_constants : llvm::PassInfoMixin<lower_specialization_constants> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace falx::jit
