// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "pipeline/pass_failures.hpp"

/// \file
/// Passes on barriers. The .cpp file of the same name shows IR before and after.

namespace falx::jit {

/// Target cpu, of groups of a known local range that run as vectors (independent_vectors.cpp): barriers of
/// work-groups at which no vector needs to wait for another one become barriers of sub-groups, and loops
/// around barriers that take a known number of iterations are unrolled if that makes such barriers.
struct keep_vectors_independent : kernel_pass<keep_vectors_independent> {
  void change(llvm::Function& kernel, llvm::FunctionAnalysisManager& analyses);
};

/// Induction variables of loops around barriers that begin with something else for each work-item become sums
/// of what they begin with and a variable of the group (group_inductions.cpp). For a kernel of kind nd_range,
/// before its barriers are split.
struct separate_inductions : kernel_pass<separate_inductions> {
  void change(llvm::Function& kernel, llvm::FunctionAnalysisManager& analyses);
};

/// Puts barriers into the loops that a group's sub-groups had better go through side by side, one iteration
/// at a time (loops_in_step.cpp). For a kernel of kind nd_range that becomes vectors, before its
/// barriers are split.
struct keep_loops_in_step : kernel_pass<keep_loops_in_step> {
  void change(llvm::Function& kernel, llvm::FunctionAnalysisManager& analyses);
};

/// Replaces a kind nd_range work-item function by a function that runs all work-items of a group, cut into
/// regions at its work-group barriers (split_barriers.cpp). Without barriers that is form_work_item_loops.
/// Fails on barriers that cannot be split around, naming the kernel.
struct split_barriers : kernel_pass<split_barriers> {
  llvm::Error change(llvm::Function& kernel, llvm::FunctionAnalysisManager& analyses);
};

} // namespace falx::jit
