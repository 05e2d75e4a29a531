// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/ADT/StringRef.h"

namespace llvm {
class CallBase;
} // namespace llvm

namespace falx::compiler {

/// True for functions that start or continue stack unwinding: reaching one on a device ends the program.
bool starts_unwinding(llvm::StringRef name);

/// Replaces a call of such a function, which nothing follows then. What the standard library throws by name
/// becomes a failed assertion that names the exception, the rest a trap.
void end_in_place_of(llvm::CallBase& call);

} // namespace falx::compiler
