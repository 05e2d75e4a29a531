// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Module.h>

namespace falx::jit::simd {

/// Right before machine code is made: masked loads and stores of vectors of pointers promise no more
/// alignment than a pointer has. See the .cpp file.
void limit_alignment_of_masked_pointers(llvm::Module& module);

} // namespace falx::jit::simd
