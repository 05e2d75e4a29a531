// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Function.h>

namespace falx::jit::simd {

/// Makes straight code of loops with few iterations whose number is known, so that private variables that
/// such loops index become values before lanes are formed. Folds constants on the way.
void unroll_constant_loops(llvm::Function& work_item);

} // namespace falx::jit::simd
