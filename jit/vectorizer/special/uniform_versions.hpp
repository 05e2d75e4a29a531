// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Function.h>

namespace falx::jit::simd {

/// What is known of a region.
struct version_request {
  unsigned lanes = 1;
  /// Work-items of the group, if they are one row of whole vectors; else 0.
  unsigned work_items = 0;
  /// What all work-items of the region return, the next region's number first, if separate_results made it;
  /// and the region's own number.
  llvm::Function* results = nullptr;
  unsigned number = 0;
};

/// Copies of a region of a work-item function for values of what its work-items agree on. See the .cpp file.
struct uniform_versions {
  struct copy {
    llvm::Function* function = nullptr;
    /// It does what the region does so many times, while that goes on with itself.
    unsigned steps = 1;
    /// Of several steps: what all but the last one return.
    llvm::Function* results = nullptr;
  };
  /// Takes what the region takes; returns, as an i32, which of the copies to run, or their number for the
  /// region as it was. The same for all work-items. Null if there are no copies.
  llvm::Function* dispatcher = nullptr;
  llvm::SmallVector<copy> copies;
};

uniform_versions make_uniform_versions(llvm::Function& region, const version_request& request);

} // namespace falx::jit::simd
