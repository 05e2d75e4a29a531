// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "frontend/kernel_attributes.hpp"

#include <llvm/IR/Module.h>

namespace falx::jit::simd {

/// Right before machine code is made for x86-64: gathers and scatters of elements of sizes \p
/// with_instruction get signed indices of 32 bits where their addresses allow it. See the .cpp file.
void narrow_gather_indices(llvm::Module& module, const scattered_sizes& with_instruction);

} // namespace falx::jit::simd
