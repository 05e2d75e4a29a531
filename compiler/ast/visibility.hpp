// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"

namespace clang {
class Decl;
class NamedDecl;
class VarDecl;
} // namespace clang

/// \file
/// Whether a variable can be named at the end of its file, at namespace scope: what SYCL asks of variables
/// that the compiler has to find.

namespace falx::compiler {

/// Whether nothing in the classes around it is private or protected.
bool is_public(const clang::Decl& declaration);

/// Calls \p found where an inline namespace declares \p other under the name of \p hidden: the variable, or a
/// namespace around it. A static member is hidden only with the namespace of its class.
void for_each_hiding(
    const clang::VarDecl& variable,
    llvm::function_ref<void(const clang::NamedDecl& hidden, const clang::NamedDecl& other)> found);

} // namespace falx::compiler
