// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Module.h>

namespace falx::jit {

/// Powers whose exponent is a constant, and not large, become products (integer_powers.cpp). True if there
/// was one.
bool expand_integer_powers(llvm::Module& module);

} // namespace falx::jit
