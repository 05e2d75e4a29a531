// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace llvm {
class Function;
class LoopInfo;
} // namespace llvm

namespace falx::jit::simd {

/// Whether \p work_item, whose mathematical functions are part of it (define_math_functions), gives the same
/// bits as vectors and one work-item after the other, and ends in both forms if it ends in one. So a program
/// cannot tell when the form that runs it changes.
bool have_forms_same_results(const llvm::Function& work_item, const llvm::LoopInfo& loops);

} // namespace falx::jit::simd
