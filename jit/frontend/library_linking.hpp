// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "math/built_in_library.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/Error.h>

#include <memory>

namespace falx::jit {

/// Bitcode, of which only what is requested is read.
llvm::Expected<std::unique_ptr<llvm::Module>> open_library(llvm::StringRef bitcode,
                                                           llvm::LLVMContext& context);

/// Puts into \p module the functions of \p library that it declares, as if they were the program's own.
llvm::Error link_library(llvm::Module& module, std::unique_ptr<llvm::Module> library);

/// Does so with a library that is built in, if the module declares something that it defines.
llvm::Error define_from_library(llvm::Module& module, library which);

/// Puts bodies that were so defined in the place of \p calls, and of what is always inlined there.
void inline_bodies(llvm::SmallVector<llvm::CallBase*, 16> calls);

/// \p value for a library's function that may branch on it. An intrinsic is poison where an operand is, and
/// LLVM relies on that: elements of vectors that nobody uses are poison, and what is computed ahead of its
/// condition may be. For a branch that is undefined behaviour, after which all that follows is left out.
llvm::Value* without_poison(llvm::Value* value, llvm::IRBuilderBase& builder);

/// Whether the library that is built in defines \p function.
bool is_in_library(library which, llvm::StringRef function);

} // namespace falx::jit
