// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace llvm {
class Module;
} // namespace llvm

namespace falx::compiler {

// Fills in the functions that return where accessors lie in a host task's callable. True if there were any.
bool fill_in_accessor_offsets(llvm::Module& host);

} // namespace falx::compiler
