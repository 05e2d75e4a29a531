// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/Support/Error.h>

namespace falx::jit::simd {

/// The vector forms of a kind range work-item function.
struct range_vectors {
  /// Of as many lanes as the kernel's attributes name.
  llvm::Function* body = nullptr;
  /// Of a sub-group's lanes, for what does not fill the other; null if that has no more.
  llvm::Function* rest = nullptr;
};

/// As vectorize does. Consumes \p work_item, also if it fails.
llvm::Expected<range_vectors> vectorize_range(llvm::Function& work_item);

} // namespace falx::jit::simd
