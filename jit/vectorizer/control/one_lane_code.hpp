// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Function.h>

namespace falx::jit::simd {

/// Where one lane alone goes on (if (id == 0)), its numbers are used instead of all lanes'. \p work_item is
/// in the form of prepare_for_lanes, and keeps it.
void use_numbers_of_one_lane(llvm::Function& work_item, unsigned lanes);

} // namespace falx::jit::simd
