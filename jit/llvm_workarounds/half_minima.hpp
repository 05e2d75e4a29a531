// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Module.h>

namespace falx::jit {

/// Right before machine code is made for x86-64 without AVX-512 FP16: the lesser and greater of two halves,
/// also of vectors, are found among floats. See the .cpp file.
void compare_halves_as_floats(llvm::Module& module);

} // namespace falx::jit
