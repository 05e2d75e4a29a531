// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Function.h>

namespace falx::jit::simd {

/// Copies of a region of a work-item function for values of what its work-items agree on. See the .cpp file.
struct uniform_versions {
  /// Takes what the region takes; returns, as an i32, which of the copies to run, or their number for the
  /// region as it was. The same for all work-items. Null if there are no copies.
  llvm::Function* chooser = nullptr;
  llvm::SmallVector<llvm::Function*> copies;
};

uniform_versions make_uniform_versions(llvm::Function& region, unsigned lanes);

} // namespace falx::jit::simd
