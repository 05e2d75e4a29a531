// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Function.h>

namespace falx::jit::simd {

/// Vectors of \p lanes consecutive work-items of a group of \p work_items in one row, a multiple of lanes,
/// share no memory that \p work_item writes: what one of them loads or stores, apart from invariant memory
/// and private variables, no other one does. False if that cannot be seen.
bool vectors_keep_apart(const llvm::Function& work_item, unsigned lanes, unsigned work_items);

} // namespace falx::jit::simd
