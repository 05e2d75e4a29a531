// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace clang {
class CallExpr;
class FunctionDecl;
class NamedDecl;
class QualType;
} // namespace clang

namespace falx::compiler {

/// What the checks know of a function that they meet in a call.
enum class library_function {
  /// Nothing: it needs a definition.
  unknown,
  /// Every target provides it (compiler builtins, __falx_* builtins, the C library's memory and math
  /// functions) or makes it a trap (what the standard library calls to throw or to end the program).
  provided,
  /// Allocates or frees memory of the host.
  allocation,
  /// Takes memory from the stack while the function runs.
  dynamic_stack,
  /// Writes to the host's standard output or to files.
  output,
};

library_function classify_library_function(const clang::FunctionDecl& function);

/// True for the standard library's streams (std::ostream and what is derived from std::ios_base like it) and
/// for C's FILE, pointers and references to them.
bool is_host_stream(clang::QualType type);

/// What a chain like `std::cout << 1 << 2` begins with, or else the function that \p call names; null if that
/// is no declaration.
const clang::NamedDecl* first_operand(const clang::CallExpr& call);

} // namespace falx::compiler
