// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <memory>

namespace clang {
class FunctionDecl;
class Sema;
class ValueDecl;
} // namespace clang

namespace falx::compiler {

/// True if a declaration of the function or variable says that another translation unit may define or use it
/// in device code (SYCL_EXTERNAL, annotation "falx.external").
bool is_sycl_external(const clang::ValueDecl& declared);

/// Checks the language restrictions for device functions (SYCL 2020 §5.4) on everything that a kernel or a
/// SYCL_EXTERNAL function calls, and what kernels take along from the host (diagnostics_captures.hpp). An
/// error stands where the user wrote the offending code, with notes that lead back to the kernel. Library
/// code (system headers and Falx's own) is followed, but trusted: it may hold throw expressions, which end
/// the kernel on a device, and tables of functions. What cannot work from there either (memory allocation,
/// run-time type information, virtual calls, recursion, functions without a definition) is reported at each
/// of the user's calls that lead there. So is what goes beyond an attribute device_has (§5.8). All of it is
/// decided by the source, and so the same at every -O level.
class restriction_checker {
public:
  /// At -O0 (\p is_unoptimized) it also keeps definitions that clang would leave to another translation unit.
  restriction_checker(clang::Sema& sema, bool is_unoptimized);
  ~restriction_checker();

  /// Checks what \p root, a kernel entry or a SYCL_EXTERNAL definition, reaches. Functions that an earlier
  /// call checked are not checked again.
  void check(const clang::FunctionDecl& root);

private:
  class walker;
  std::unique_ptr<walker> walker_;
};

} // namespace falx::compiler
