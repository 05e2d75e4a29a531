// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "jit.hpp"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/Error.h>

namespace falx::jit {

/// Makes the linking of images fetch what functions are replaced by.
void wish_for_definitions(llvm::Module& module, llvm::ArrayRef<function_replacement> functions);

/// Has calls of replaced functions, in the image at \p index that is about to be linked, call functions that
/// define_replaced_functions defines, and gives definitions the names that were wished for. The image may be
/// parsed lazily.
void take_out_replaced_functions(llvm::Module& image, std::size_t index,
                                 llvm::ArrayRef<function_replacement> functions);

/// Defines the replaced functions that the linked module calls. Fails with a sentence if a definition is
/// missing or of another type, and for a call of a function that the program marks as to be replaced, that
/// has no definition of its own, and that nothing replaces.
llvm::Error define_replaced_functions(llvm::Module& module, llvm::ArrayRef<function_replacement> functions,
                                      llvm::StringRef kernel);

} // namespace falx::jit
