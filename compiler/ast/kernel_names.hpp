// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "clang/AST/Type.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"

namespace clang {
class FunctionDecl;
class Sema;
} // namespace clang

namespace falx::compiler {

/// Where the program asks for kernels by name: get_kernel_id<Name>() and what calls it. Asking for the name
/// of no kernel is ill-formed and must be diagnosed (SYCL 2020 §4.11.4). Another translation unit may define
/// the kernel if it can name the type; for all other types this one tells.
class kernel_name_uses {
public:
  /// Takes down an instantiation of one of these functions, or of one that finds a kernel's descriptor.
  void note(clang::FunctionDecl& function);
  /// The translation unit has the kernel with this entry.
  void note_kernel(const clang::FunctionDecl& entry);
  /// When all kernels are known: reports names of none.
  void report(clang::Sema& sema) const;
  /// Of the kernels that the translation unit asks for, the functions that find their descriptors.
  /// descriptor_of_kernel<Name, …>: what nobody calls, as in `if (0)`, clang would leave out, and the kernel
  /// with it.
  llvm::SmallVector<clang::FunctionDecl*> requested_descriptors() const;

private:
  llvm::MapVector<clang::QualType, clang::SourceLocation> uses_;
  llvm::MapVector<clang::FunctionDecl*, clang::QualType> descriptors_;
  llvm::DenseSet<clang::QualType> kernels_;
};

} // namespace falx::compiler
