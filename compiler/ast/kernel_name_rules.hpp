// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "clang/AST/Type.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace clang {
class CXXRecordDecl;
class FunctionDecl;
class Sema;
} // namespace clang

namespace falx::compiler {

/// The rules for names that users give to kernels (SYCL 2020 §5.2). A name of two kernels is an error, since
/// get_kernel_id and kernel bundles cannot tell them apart; `-Wno-error=nonportable-sycl` makes it a warning.
/// Names that cannot be declared at namespace scope (of std, of functions, of classes) matter to compilers
/// that declare them once more: -Wnonportable-sycl warns of them, which is off unless asked for, as clang and
/// DPC++ accept them.
class kernel_name_rules {
public:
  explicit kernel_name_rules(clang::Sema& sema) : sema_(sema) {}

  /// Once for each kernel \p entry of the translation unit.
  void check(const clang::FunctionDecl& entry);

private:
  void check_is_new(clang::QualType name, const clang::CXXRecordDecl& kernel);
  /// Looks at the type and at its template arguments.
  void check_declarable(clang::QualType name, clang::QualType part, clang::SourceLocation kernel);

  clang::Sema& sema_;
  llvm::DenseMap<clang::QualType, const clang::CXXRecordDecl*> kernels_;
  llvm::DenseSet<clang::SourceLocation> reported_;
};

} // namespace falx::compiler
