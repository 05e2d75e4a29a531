// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/ConstantFPRange.h>

namespace falx::jit {

/// What \p value, a floating-point number, may be; right also if its products are fused with sums. LLVM 22
/// has the ranges, but no analysis that makes them.
llvm::ConstantFPRange float_range_of(const llvm::Value& value, unsigned depth = 0);

} // namespace falx::jit
