// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Error.h>
#include <llvm/Target/TargetMachine.h>

namespace falx::jit {

/// An object that defines LINE_TABLE_SYMBOL (cpu_abi.hpp) for the machine code in \p object, out of its debug
/// information: for each piece of code the line of the program that it comes from, where that is inlined into
/// the code of libraries that of their caller. \p kernel_function is the symbol that lines are counted from.
llvm::Expected<llvm::SmallVector<char, 0>>
make_line_table(llvm::ArrayRef<char> object, llvm::StringRef kernel_function, llvm::TargetMachine& machine);

} // namespace falx::jit
