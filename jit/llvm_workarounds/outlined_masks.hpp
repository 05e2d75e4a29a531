// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

namespace falx::jit::simd {

/// Right before machine code is made: masked loads and stores for which the target has no instruction, where
/// they are many, become calls of one function for each form. See the .cpp file.
void outline_masked_accesses(llvm::Module& module, const llvm::TargetMachine& machine);

} // namespace falx::jit::simd
