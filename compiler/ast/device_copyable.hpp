// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "clang/AST/Type.h"
#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/DenseMap.h"

#include <optional>
#include <string>

namespace clang {
class CXXRecordDecl;
class Sema;
} // namespace clang

namespace falx::compiler {

/// Why the bytes of an object do not make such an object on a device.
struct copy_obstacle {
  enum class reason : unsigned char {
    reference,
    destructor,
    copy_constructor,
    deleted_copy,
    /// An accessor for host tasks, which is no parameter of kernels whatever its bytes (SYCL 2020 §4.12.4).
    host_task,
  };
  reason what;
  /// The member, base or capture that it is about, "member 'data' of type 'std::vector<int>'"; empty if it is
  /// the object itself.
  std::string part;
  /// Of that part or of the object.
  clang::QualType type;
  /// Where the member or base is declared; invalid if it is the object itself.
  clang::SourceLocation location;
};

/// The rules of SYCL 2020 §3.13.1. Beyond them, a class counts as device copyable if it has a trivial copy
/// constructor and destructor (SYCL 1.2.1's rule), or if it declares neither and its bases and members are
/// device copyable.
class device_copyable_types {
public:
  explicit device_copyable_types(clang::Sema& sema) : sema_(sema) {}

  /// What speaks against an object of the type; nothing if it is device copyable.
  std::optional<copy_obstacle> obstacle_in(clang::QualType type);
  /// Whether the user or Falx says by sycl::is_device_copyable that it is.
  bool is_declared_device_copyable(clang::QualType type);
  /// Of a class, leaving out whether its own copy constructor and destructor are written by the user.
  std::optional<copy_obstacle> obstacle_in_parts(const clang::CXXRecordDecl& record);

private:
  std::optional<copy_obstacle> obstacle_in_class(const clang::CXXRecordDecl& record, clang::QualType type);

  clang::Sema& sema_;
  llvm::DenseMap<const clang::CXXRecordDecl*, std::optional<copy_obstacle>> known_;
};

} // namespace falx::compiler
