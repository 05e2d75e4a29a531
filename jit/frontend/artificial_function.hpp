// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>

namespace falx::jit {

/// Tells debuggers that \p caller, which stands in no source file, was made for \p body: it gets an
/// artificial subprogram of its own (one cannot describe two functions), and instructions that \p builder
/// makes get the line of \p body. Nothing if \p body has no debug information.
void describe_artificial_function(llvm::Function& caller, const llvm::Function& body,
                                  llvm::IRBuilder<>& builder);

} // namespace falx::jit
