// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace clang {
class FunctionDecl;
class NamedDecl;
class Sema;
} // namespace clang

namespace falx::compiler {

/// What device code must not do (SYCL 2020 §5.4). The sentences are in diagnostics_report.cpp. Of what a
/// library function does, the first in this order is what its caller is told.
enum class restriction : unsigned char {
  /// To the host's streams or files.
  output,
  allocation,
  virtual_call,
  throw_expression,
  try_block,
  type_information,
  dynamic_cast_expression,
  function_pointer_call,
  member_pointer_call,
  variadic_call,
  inline_assembly,
  mutable_global,
  mutable_static_local,
  thread_local_variable,
  long_double,
  variable_length_array,
  undefined_function,
  /// Of a library, without a definition.
  library_function,
  undefined_device_global,
  misplaced_work_group_static,
  recursion,
  /// SYCL 2020 §5.8: of an aspect
  unlisted_aspect,
};

/// One call on the path from a kernel to the code under the check.
struct call_frame {
  const clang::FunctionDecl* callee = nullptr;
  clang::SourceLocation call_site;
};

/// What devices cannot do, in library code.
struct library_problem {
  restriction what;
  clang::SourceLocation location;
  /// The function or variable that the sentence names; may be null.
  const clang::NamedDecl* subject;
};

/// Writes the errors, each once per place however many kernels and instantiations lead there.
class restriction_reporter {
public:
  explicit restriction_reporter(clang::Sema& sema) : sema_(sema) {}

  /// True for code in system headers and in Falx's own headers.
  bool is_trusted(clang::SourceLocation location);

  /// Whose code is being checked: "kernel 'name'" and where it is.
  void set_root(std::string description, clang::SourceLocation location) {
    root_ = std::move(description);
    root_location_ = location;
  }

  /// Reports at \p location, or, where that is in trusted code, at the user's call that led there. \p subject
  /// is the function or variable that the sentence names; may be null where it names none. \p detail is for
  /// sentences that have one.
  void report(restriction what, clang::SourceLocation location, const clang::NamedDecl* subject,
              llvm::ArrayRef<call_frame> calls, llvm::StringRef detail = {});

  /// Reports at \p call_site, where the user's code calls the library function \p callee, what that leads to.
  void report_in_library(const library_problem& problem, const clang::FunctionDecl& callee,
                         clang::SourceLocation call_site, llvm::ArrayRef<call_frame> calls);

private:
  void note_calls(llvm::ArrayRef<call_frame> calls);

  clang::Sema& sema_;
  std::string root_;
  clang::SourceLocation root_location_;
  llvm::DenseMap<clang::FileID, bool> trusted_files_;
  llvm::DenseSet<std::pair<clang::SourceLocation, unsigned>> reported_;
};

} // namespace falx::compiler
