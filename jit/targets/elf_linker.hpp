// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Error.h>

#include <vector>

namespace falx::jit {

/// Links one relocatable object into a shared object with lld, in this process. Symbols that the object
/// leaves undefined must be the C library's, the math library's or libgcc's: otherwise fails with a sentence
/// that names them and \p kernel. Thread-safe; the same object gives the same bytes.
llvm::Expected<std::vector<unsigned char>> link_shared_object(llvm::ArrayRef<char> object,
                                                              llvm::StringRef kernel);

/// SLEEF is installed, so that kernels can be linked with it.
bool has_vector_math_library();

} // namespace falx::jit
