// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace llvm {
class Module;
} // namespace llvm

namespace falx::jit {

/// For targets where a call costs little: functions that the program calls cold ([[gnu::cold]]) stay calls,
/// marked with noinline, unless choose_what_to_inline finds that they use builtins. In vectors they run lane
/// by lane.
void keep_cold_functions(llvm::Module& module);

/// Marks with alwaysinline what becomes part of the kernel before the passes of the JIT: everything, unless
/// the kernel would grow large; then what uses builtins, what is small and what is called once. The rest is
/// LLVM's to inline or not.
void choose_what_to_inline(llvm::Module& module);

} // namespace falx::jit
