// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "access_costs.hpp"

namespace falx::jit::simd {

/// Marks the loads and stores for which the target would make a branch per lane if the addresses of \p lanes
/// are scattered, provided that there are many of them.
void find_branching_accesses(llvm::Function& work_item, const access_costs& costs, unsigned lanes);

/// Takes the mark away: the access is made of vectors.
void unmark_branching_access(llvm::Instruction& access);

/// find_branching_accesses marked it.
bool is_branching_access(const llvm::Instruction& access);

} // namespace falx::jit::simd
