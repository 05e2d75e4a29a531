// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace clang {
class Decl;
class FunctionDecl;
class Sema;
} // namespace clang

/// \file
/// Functions whose definition a launch chooses: include/falx/dynamic_functions.hpp.

namespace falx::compiler {

/// True if \p function takes functions that have to be named in the call (FALX_NAMES_FUNCTIONS).
bool names_functions(const clang::FunctionDecl& function);

/// True if a call in this translation unit, among those that find_dynamic_functions has seen, names \p
/// function as one to be replaced.
bool is_dynamic_function(const clang::FunctionDecl& function);

/// Finds the functions that calls in \p declarations, and in what is instantiated from them, name, and notes
/// them for the IR half. Calls \p found for each definition. Reports as errors: arguments that do not name a
/// function, and functions that are to define others but have no definition here.
void find_dynamic_functions(clang::Sema& sema, llvm::ArrayRef<clang::Decl*> declarations,
                            llvm::function_ref<void(const clang::FunctionDecl&)> found);

} // namespace falx::compiler
