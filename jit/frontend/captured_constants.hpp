// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "jit.hpp"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/IR/Function.h>

namespace falx::jit {

/// Replaces what the kernel, whose first parameter points to the function object, loads or copies from known
/// bytes of it, and writes the known alignments of pointers to their loads. For kernels into which everything
/// is inlined. Loads that reach beyond the known bytes, and pointers that escape, stay. Gives back whether
/// anything was replaced.
bool fold_captured_constants(llvm::Function& kernel, llvm::ArrayRef<captured_bytes> known,
                             llvm::ArrayRef<captured_alignment> aligned);

} // namespace falx::jit
