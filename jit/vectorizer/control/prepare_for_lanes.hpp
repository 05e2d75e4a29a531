// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "forward_graph.hpp"
#include "vectorizer/analysis/lane_shapes.hpp"

#include <llvm/ADT/StringRef.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/PassManager.h>

namespace falx::jit::simd {

/// Brings a work-item function into the form that the vectoriser works on: branches only, reducible, one
/// return that is the only end, each loop with a preheader, one latch that only jumps, and one exit block of
/// the loop around it; values leave loops through phis; no vectors. Gives why that is impossible, or nothing.
llvm::StringRef prepare_for_lanes(llvm::Function& work_item, unsigned lanes,
                                  llvm::FunctionAnalysisManager& analyses);

/// What is known about a function in that form, until it changes.
struct prepared_function {
  prepared_function(llvm::Function& work_item, unsigned lanes)
      : dominators(work_item), loops(dominators), graph(work_item, dominators, loops),
        shapes(work_item, graph, loops, lanes) {}

  const llvm::DominatorTree dominators;
  const llvm::LoopInfo loops;
  const forward_graph graph;
  const lane_shapes shapes;
};

} // namespace falx::jit::simd
