// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "vectorizer/control/linearization.hpp"
#include "vectorizer/control/prepare_for_lanes.hpp"
#include "vectorizer/vectorize_function.hpp"

namespace falx::jit::simd {

class shuffled_accesses;

/// The vector form of \p work_item, whose lanes go through its blocks as \p plan says.
llvm::Function* emit_vector_function(llvm::Function& work_item, const prepared_function& prepared,
                                     const vector_request& request, const shuffled_accesses& shuffled,
                                     const linearization& plan);

} // namespace falx::jit::simd
