// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/ADT/StringRef.h"

#include <string>

namespace llvm {
class Module;
} // namespace llvm

namespace falx::compiler {

/// For which targets this process compiles kernels ahead of time, such as "native,sm_90"; empty for none.
std::string& ahead_of_time_targets();

/// Compiles the kernels of a device image for these targets, with the program falx-aot of this installation,
/// and puts what it makes into the host module, registered at program start. Errors are the compilation's.
void compile_ahead_of_time(llvm::Module& host, llvm::StringRef image);

} // namespace falx::compiler
