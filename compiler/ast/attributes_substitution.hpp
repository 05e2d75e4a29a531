// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace clang {
class Expr;
class FunctionDecl;
class Sema;
} // namespace clang

namespace falx::compiler {

/// The value-dependent \p argument of an attribute on the type of \p function, as it reads in this
/// instantiation. clang instantiates the arguments of attributes on declarations itself, but leaves those of
/// annotate_type as they stand in the template. Returns null if the argument cannot be instantiated.
clang::Expr* substitute_argument(clang::Sema& sema, const clang::FunctionDecl& function,
                                 clang::Expr* argument);

} // namespace falx::compiler
