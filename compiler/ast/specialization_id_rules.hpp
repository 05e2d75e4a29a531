// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/ADT/SetVector.h"

namespace clang {
class FunctionDecl;
class Sema;
class VarDecl;
} // namespace clang

namespace falx::compiler {

/// How variables of class specialization_id are declared (SYCL 2020 §4.9.5.1). Falx takes their addresses and
/// can do with any; compilers that name them once more at the end of the file cannot, so what they would not
/// find there is a warning, of -Wnonportable-sycl.
class specialization_id_rules {
public:
  /// Takes down the variable that an instantiation of get_, set_ or has_specialization_constant is about.
  void note(const clang::FunctionDecl& function);
  /// When the translation unit has been read, and all that could hide them.
  void report(clang::Sema& sema) const;

private:
  llvm::SetVector<const clang::VarDecl*> variables_;
};

} // namespace falx::compiler
