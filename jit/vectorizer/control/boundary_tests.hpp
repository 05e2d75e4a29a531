// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "vectorizer/cost/access_costs.hpp"
#include "vectorizer/cost/cost_model.hpp"

#include <llvm/IR/PassManager.h>

namespace falx::jit::simd {

/// Where is code looked for that tests for boundaries?
enum class boundary_scope {
  /// Where all lanes of the vector come to.
  whole_vectors,
  everywhere,
};

/// Gives code in which lanes test whether they are at the boundary of an array, before they access their
/// neighbours, a copy without the tests, for vectors and loops none of whose lanes and iterations is, where
/// that is worth it. True if it did; there may be more. \p work_item is in the form of prepare_for_lanes, and
/// keeps it. \p budget is how many instructions may be copied.
bool leave_out_boundary_tests(llvm::Function& work_item, unsigned lanes, const cost_model& costs,
                              const access_costs& accesses, llvm::FunctionAnalysisManager& analyses,
                              boundary_scope scope, std::size_t& budget);

} // namespace falx::jit::simd
