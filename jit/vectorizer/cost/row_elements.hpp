// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace llvm {
class Loop;
class ScalarEvolution;
} // namespace llvm

namespace falx::jit::simd {

/// Writes down with \p loop how many iterations LLVM makes one of, with vectors of \p register_bits, where
/// work-items run one after the other: those of a row that each goes through by itself. For the estimate of
/// that form, before loops are changed for the other one.
void note_row_elements(llvm::Loop& loop, llvm::ScalarEvolution& evolution, unsigned register_bits);
/// What was noted; 1 if nothing was.
unsigned row_elements(const llvm::Loop& loop);

} // namespace falx::jit::simd
