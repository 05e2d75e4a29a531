// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace llvm {
class Module;
} // namespace llvm

namespace falx::compiler {

/// Turns the annotations of note_restricted_variables into scopes of aliases, as far as a look at the
/// function tells which accesses go through a variable. True if there was one.
bool keep_restrictions(llvm::Module& module);

} // namespace falx::compiler
