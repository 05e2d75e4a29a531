// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/aspect.hpp"

#include "clang/AST/Type.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace clang {
class ASTContext;
class FunctionDecl;
} // namespace clang

namespace falx::compiler {

/// The optional feature (SYCL 2020 §5.7) that an expression or a variable of the type uses.
std::optional<sycl::aspect> aspect_of_type(const clang::ASTContext& context, clang::QualType type);

/// The one that calling the function uses, because it is a builtin of such a feature.
std::optional<sycl::aspect> aspect_of_builtin(const clang::FunctionDecl& function);

/// What code may use behind an attribute device_has, and who has the attribute. Each aspect is complained
/// about once.
class aspect_limit {
public:
  aspect_limit(const clang::FunctionDecl& owner, std::vector<std::size_t> listed)
      : owner_(owner), allowed_(std::move(listed)) {}

  const clang::FunctionDecl& owner() const { return owner_; }
  /// Whether the use of \p feature has to be reported.
  bool is_violated_by(sycl::aspect feature);

private:
  const clang::FunctionDecl& owner_;
  /// What is listed or has been reported.
  std::vector<std::size_t> allowed_;
};

} // namespace falx::compiler
