// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/ADT/SmallVector.h"

namespace llvm {
class Function;
class GlobalVariable;
class Module;
} // namespace llvm

namespace falx::compiler {

/// The functions of the module that the program names as dynamic functions or their definitions.
llvm::SmallVector<llvm::Function*> find_dynamic_functions(llvm::Module& host);

/// Whether it is one whose calls launches replace.
bool is_replaced(const llvm::Function& function);

/// Of a call of \p function, or of one of its redefinitions, no pass may conclude what it does, and none may
/// replace it by the function's body, before a launch says which definition it has.
void keep_replaceable(llvm::Function& function);

/// Puts falx::function_descriptor objects in the places where the program names \p functions.
void describe_dynamic_functions(llvm::Module& host, llvm::ArrayRef<llvm::Function*> functions,
                                llvm::GlobalVariable& registration);

} // namespace falx::compiler
