// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/StringRef.h>
#include <llvm/IR/Intrinsics.h>

namespace falx::jit {

/// A function of <math.h>, as falx/math_functions.def describes it.
struct math_function {
  /// Of the form for double.
  llvm::StringRef name;
  llvm::StringRef operands;
  llvm::StringRef vector_accuracy;
  llvm::Intrinsic::ID intrinsic;
  bool is_instruction;

  /// Does it store results through pointers?
  bool has_results() const { return operands.contains('P'); }
};

/// By the name of the form for double; null if there is none.
const math_function* find_math_function(llvm::StringRef name);

/// By the name of the form for any type: sinf, lgammal_r.
const math_function* find_typed_math_function(llvm::StringRef symbol);

/// The name of the function that computes the same as the intrinsic; empty for intrinsics that are an exact
/// instruction on our targets (sqrt, fma, floor…) and for those that compute something else.
llvm::StringRef math_function_of(llvm::Intrinsic::ID intrinsic);

} // namespace falx::jit
