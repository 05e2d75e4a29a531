// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace clang {
class FunctionDecl;
} // namespace clang

namespace falx::compiler {

/// What the checks know of a function that they meet in a call.
enum class library_function {
  /// Nothing: it needs a definition.
  unknown,
  /// Every target provides it (compiler builtins, __falx_* builtins, the C library's memory and math
  /// functions)
  /// or makes it a trap (what the standard library calls to throw or to end the program).
  provided,
  /// Allocates or frees memory of the host.
  allocation,
};

library_function classify_library_function(const clang::FunctionDecl& function);

} // namespace falx::compiler
