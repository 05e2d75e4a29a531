// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace clang {
class CXXRecordDecl;
} // namespace clang

namespace falx::compiler {

/// Whether no program comes to the expression that makes this \p lambda, or to one around it: it is in a
/// branch that a constant condition never takes, as templates have them whose `if` is no `if constexpr`.
bool is_in_dead_branch(const clang::CXXRecordDecl& lambda);

} // namespace falx::compiler
