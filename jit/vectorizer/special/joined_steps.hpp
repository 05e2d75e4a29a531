// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/Function.h>

#include <cstdint>

namespace falx::jit::simd {

/// A region that goes on with itself, and the distance at which its work-items exchange.
struct repeated_region {
  llvm::Function& region;
  /// What all its work-items return: separate_results. The first element is the number of the next region.
  llvm::Function& results;
  unsigned number;
  /// Work-items of a vector, and of a group, which is one row of whole vectors.
  unsigned lanes;
  unsigned work_items;
  llvm::Argument& distance;
  /// Other arguments that tell lanes apart if they are not multiples of twice the lanes.
  llvm::ArrayRef<llvm::Argument*> others;
  /// Gives the region for a distance that is a power of two, up to the number of lanes.
  llvm::function_ref<llvm::Function&(std::uint64_t)> for_distance;
};

/// A work-item function that runs the region so many times, from the distance \p first on, if the others
/// are multiples of twice the lanes. No function if there is none.
struct joined_steps {
  llvm::Function* function = nullptr;
  /// Takes what the region takes, and returns what all steps but the last one return.
  llvm::Function* results = nullptr;
  unsigned steps = 1;
  std::uint64_t first = 0;
};

joined_steps join_steps(const repeated_region& repeated);

} // namespace falx::jit::simd
