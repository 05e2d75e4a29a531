// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "forward_graph.hpp"
#include "vectorizer/analysis/lane_shapes.hpp"
#include "vectorizer/vectorize_function.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>

namespace falx::jit::simd {

/// What is known about a work-item function that prepare_for_lanes has seen, until it changes.
struct prepared_function {
  prepared_function(llvm::Function& work_item, const vector_request& request);

  const llvm::DominatorTree dominators;
  const llvm::LoopInfo loops;
  const forward_graph graph;
  const lane_shapes shapes;
};

} // namespace falx::jit::simd
