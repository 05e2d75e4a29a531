// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "device_copyable.hpp"

#include "llvm/ADT/DenseSet.h"

namespace clang {
class CXXRecordDecl;
class FieldDecl;
class LambdaCapture;
class Sema;
} // namespace clang

namespace falx::compiler {

/// Checks what kernels take along from the host (SYCL 2020 §4.12.4): captures of lambdas, members and bases
/// of function objects. A reference or an object that is not device copyable is an error where the user wrote
/// the capture or the member. That a kernel captures `this` is a warning (-Wdeprecated-this-capture), as is a
/// user's copy constructor that devices do not call (-Wnontrivial-memcall).
class capture_checker {
public:
  explicit capture_checker(clang::Sema& sema) : sema_(sema), types_(sema) {}

  /// \p kernel is the class whose call operator the user wrote.
  void check(const clang::CXXRecordDecl& kernel);

private:
  void check_lambda(const clang::CXXRecordDecl& kernel);
  void check_function_object(const clang::CXXRecordDecl& kernel);
  void report_references(const clang::CXXRecordDecl& kernel);
  void report_this(const clang::LambdaCapture& capture, clang::QualType type);
  /// \p subject is what the kernel takes along, in words: "kernel captures 'v' of type 'std::vector<int>'".
  void report_obstacle(const std::string& subject, clang::SourceLocation location,
                       const copy_obstacle& obstacle);
  /// True if nothing was reported at \p location before.
  bool is_new(clang::SourceLocation location) { return reported_.insert(location).second; }

  clang::Sema& sema_;
  device_copyable_types types_;
  llvm::DenseSet<clang::SourceLocation> reported_;
};

} // namespace falx::compiler
