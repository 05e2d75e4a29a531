// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace llvm {
class Module;
} // namespace llvm

namespace falx::compiler {

// Host code has one scope: calls of __falx_atomic_scope become their first argument. Says whether there were
// any.
bool forward_atomic_objects(llvm::Module& host);

} // namespace falx::compiler
