// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace llvm {
class Function;
} // namespace llvm

namespace falx::jit {

/// Writes correctly rounded square roots of float, their reciprocals, and reciprocal roots of double without
/// branches. The assembler's own code for them jumps to a subroutine for rare arguments, and it moves no
/// instruction across such a jump: what comes next waits until the root is known.
void expand_roots(llvm::Function& function);

} // namespace falx::jit
