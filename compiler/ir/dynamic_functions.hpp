// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "annotations.hpp"

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

/// A function that the program names for other reasons, too, and its falx::function_descriptor.
struct function_address {
  llvm::Function* function;
  llvm::GlobalVariable* descriptor;
};

/// Puts falx::function_descriptor objects in the places where the program names dynamic functions and their
/// definitions. Gives the functions that the runtime may meet by their addresses.
llvm::SmallVector<function_address> describe_dynamic_functions(llvm::Module& host,
                                                               const device_annotations& annotations,
                                                               llvm::GlobalVariable& registration);

} // namespace falx::compiler
