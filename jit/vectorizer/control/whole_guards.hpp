// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "vectorizer/cost/access_costs.hpp"
#include "vectorizer/cost/cost_model.hpp"

#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>

#include <cstddef>

namespace falx::jit::simd {

/// Gives code that lanes come to in order (if (i < n)) a copy for the case that all lanes do, where that is
/// worth it: nothing is masked there. True if it did; there may be more. \p work_item is in the form of
/// prepare_for_lanes, and keeps it. \p budget is how many instructions may be copied.
bool run_whole_guard_first(llvm::Function& work_item, unsigned lanes, const cost_model& costs,
                           const access_costs& accesses, std::size_t& budget);

/// Clocks that the test of all lanes takes: a mask as a number, its comparison, a branch.
constexpr double ALL_LANES_TEST = 3;
/// Asks whether \p condition holds for all lanes of the vector that are active.
llvm::CallInst* emit_vote(llvm::IRBuilderBase& builder, llvm::Value& condition, const llvm::Twine& name);

/// Metadata of the votes of boundary_tests.
constexpr const char* BOUNDARY_TEST = "falx.boundary";

/// \p block is of what is left behind a test of all lanes, of whole_guards or boundary_tests.
bool is_left_by_whole_vectors(const llvm::BasicBlock& block, const llvm::DominatorTree& dominators);

} // namespace falx::jit::simd
