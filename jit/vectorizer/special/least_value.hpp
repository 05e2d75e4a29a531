// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace llvm {
class Value;
} // namespace llvm

namespace falx::jit {

/// A number that \p value, of type float or double, is never less than unless it is no number, but for the
/// errors of rounding: some millionths of it. Minus infinity if nothing is known.
double least_value(const llvm::Value& value);

} // namespace falx::jit
