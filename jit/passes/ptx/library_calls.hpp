// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Module.h>

namespace falx::jit {

/// Maps the functions of the C library that end a program to what a GPU has for that: assertions to the
/// driver's
/// __assertfail, which reports file and line, the others to a trap.
void lower_library_calls(llvm::Module& module);

} // namespace falx::jit
