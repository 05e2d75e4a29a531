// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/StringRef.h>
#include <llvm/IR/PassManager.h>

namespace falx::jit::simd {

/// Brings a work-item function into the form that the vectoriser works on: branches only, reducible, one
/// return that is the only end, each loop with a preheader, one latch that only jumps, and one exit block of
/// the loop around it; values leave loops through phis; no vectors. Gives why that is impossible, or nothing.
llvm::StringRef prepare_for_lanes(llvm::Function& work_item, unsigned lanes,
                                  llvm::FunctionAnalysisManager& analyses);

} // namespace falx::jit::simd
