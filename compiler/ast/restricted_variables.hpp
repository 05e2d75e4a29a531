// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace clang {
class FunctionDecl;
} // namespace clang

namespace falx::compiler {

/// Annotates the variables `T* __restrict p` that live until the function ends, which clang forgets, for
/// keep_restrictions. To be called before code is generated for \p definition.
void note_restricted_variables(const clang::FunctionDecl& definition);

} // namespace falx::compiler
