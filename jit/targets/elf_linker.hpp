// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "request/request.hpp"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Error.h>

#include <vector>

namespace falx::jit {

/// Links one relocatable object into a shared object with lld, in this process and in memory. Symbols that
/// the object leaves undefined must be those of \p libraries: otherwise fails with a sentence that names them
/// and \p kernel. Thread-safe; the same object and libraries give the same bytes.
llvm::Expected<std::vector<unsigned char>> link_shared_object(llvm::ArrayRef<char> object,
                                                              llvm::StringRef kernel,
                                                              llvm::ArrayRef<shared_library> libraries);

/// SLEEF is among them.
bool has_vector_math_library(llvm::ArrayRef<shared_library> libraries);

} // namespace falx::jit
