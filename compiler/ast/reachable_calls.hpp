// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace clang {
class CallExpr;
class FunctionDecl;
} // namespace clang

namespace falx::compiler {

/// Calls \p visit for the functions that \p root calls by name, itself or through others, as far as devices
/// come there. Each body is looked into once, and only if \p visit says so. \p call_site is in the user's
/// code where that calls a library function which makes the call; \p call is null for constructors.
/// Destructors are left out.
void for_each_reachable_call(
    const clang::FunctionDecl& root,
    llvm::function_ref<bool(const clang::FunctionDecl& callee, clang::SourceLocation call_site,
                            const clang::CallExpr* call)>
        visit);

} // namespace falx::compiler
