// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "cost_model.hpp"

#include <llvm/IR/PassManager.h>

namespace falx::jit::simd {

/// Estimated clocks of as many work-items as a vector has lanes.
struct form_costs {
  /// As one vector.
  double vector = 0;
  /// One after the other.
  double one_by_one = 0;
};

/// Of a work-item function in LCSSA form, for vectors of \p lanes. How often blocks run follows from the
/// numbers of iterations that are known, LLVM's guesses at branches where nothing is, and for vectors from
/// where lanes part: a vector runs a block if any lane comes to it, and stays in a loop until the last has
/// left.
form_costs find_form_costs(llvm::Function& work_item, llvm::FunctionAnalysisManager& analyses,
                           const cost_model& costs, unsigned lanes);

} // namespace falx::jit::simd
