// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace falx::jit::simd {

/// Decides how many sub-groups of the kernel run as one vector: 1, 2, 4 or 8, by kernel_attributes::lanes.
/// More than one pays where a loop waits for its own last result: the processor then works on several
/// independent chains, as many as its latency times its throughput, by LLVM's costs for the target machine,
/// if their values fit the registers. Of a kernel with work-groups only so many that a group holds whole
/// vectors, and its rows do, or vectors hold whole rows. Gives the work-item function the target's
/// attributes.
struct interleave : llvm::PassInfoMixin<interleave> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace falx::jit::simd
