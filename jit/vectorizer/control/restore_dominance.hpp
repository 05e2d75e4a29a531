// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Function.h>

namespace falx::jit::simd {

/// Makes SSA form of a function in which definitions do not dominate uses, because linearisation made paths
/// around them. On such a path no lane is active that would use the value: it is zero there.
void restore_dominance(llvm::Function& function);

} // namespace falx::jit::simd
