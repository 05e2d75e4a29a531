// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "vectorizer/cost/access_costs.hpp"
#include "vectorizer/cost/cost_model.hpp"

namespace falx::jit::simd {

/// Gives code that lanes come to in order (if (i < n)) a copy for the case that all lanes do, where that is
/// worth it: nothing is masked there. \p work_item is in the form of prepare_for_lanes, and keeps it.
void run_whole_guards_first(llvm::Function& work_item, unsigned lanes, const cost_model& costs,
                            const access_costs& accesses);

} // namespace falx::jit::simd
