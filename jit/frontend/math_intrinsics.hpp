// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/StringRef.h>
#include <llvm/IR/Intrinsics.h>

namespace falx::jit {

/// The function of <math.h>, as named for double, that computes the same as the intrinsic; null for
/// intrinsics that are an exact instruction on our targets (sqrt, fma, floor…) and for those that compute
/// something else.
llvm::StringRef math_function_of(llvm::Intrinsic::ID intrinsic);

} // namespace falx::jit
