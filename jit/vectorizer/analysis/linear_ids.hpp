// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Function.h>

namespace falx::jit::simd {

/// For lane_layout::linear: computes a work-item's local ids from its linear id. Rows of 8 in vectors of 16
/// are then what lane_shapes knows of the low bits of the linear id.
void take_ids_from_linear_id(llvm::Function& work_item);

} // namespace falx::jit::simd
