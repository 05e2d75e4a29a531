// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>

/// \file
/// What passes promise about the code that they leave behind, as questions for assertions. Builds without
/// assertions have none of them.

#ifndef NDEBUG
namespace falx::jit {

/// LLVM's verifier accepts \p function; what it has to say goes to the error output.
bool is_valid(const llvm::Function& function);

/// Every value dominates its uses.
bool all_dominate(const llvm::Function& function, const llvm::DominatorTree& dominators);

/// No call of the function \p name is left, which a pass was to replace.
bool never_calls(const llvm::Function& function, llvm::StringRef name);

} // namespace falx::jit
#endif
