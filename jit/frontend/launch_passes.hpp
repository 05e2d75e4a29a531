// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "pipeline/pass_failures.hpp"

/// \file
/// Passes of both targets for what a launch has beside the function object. After inlining. The .cpp file
/// that is named with each shows IR before and after.

namespace falx::jit {

/// Takes variables of class work_group_static for memory of the work-group (work_group_variables.cpp).
struct lower_work_group_variables : kernel_pass<lower_work_group_variables> {
  llvm::Error change(llvm::Function& kernel, llvm::FunctionAnalysisManager& analyses);
};

/// Gives the kernel what its launch says of itself (launch_values.cpp).
struct lower_launch_values : kernel_pass<lower_launch_values> {
  llvm::Error change(llvm::Function& kernel, llvm::FunctionAnalysisManager& analyses);
};

} // namespace falx::jit
