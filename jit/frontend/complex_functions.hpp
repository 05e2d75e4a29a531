// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Module.h>
#include <llvm/Support/Error.h>

namespace falx::jit {

/// Defines the functions of <complex.h> that the module calls. \p library is the bitcode of
/// complex_library.cpp.
llvm::Error define_complex_functions(llvm::Module& module, llvm::StringRef library);

} // namespace falx::jit
