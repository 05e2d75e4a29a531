// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/ADT/StringRef.h"

namespace llvm {
class CallBase;
} // namespace llvm

namespace falx::device_code {

/// True for functions that start or continue stack unwinding, and for the standard library's assertions:
/// reaching one on a device ends the program.
bool starts_unwinding(llvm::StringRef name);

/// Replaces a call of such a function, which nothing follows then. What the standard library throws by name
/// becomes a failed assertion that names the exception; its own assertions (_GLIBCXX_ASSERTIONS) are such;
/// the rest is a trap.
void end_in_place_of(llvm::CallBase& call);

} // namespace falx::device_code
