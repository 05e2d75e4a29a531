// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"

namespace llvm {
class BasicBlock;
class Function;
class Module;
} // namespace llvm

namespace falx::compiler {

/// Visits the blocks of \p function that can run where __falx_is_device() is true. The function is not
/// changed.
void visit_device_blocks(const llvm::Function& function,
                         llvm::function_ref<void(const llvm::BasicBlock&)> visit);

/// Answers all calls of __falx_is_device(), and takes out the blocks that the answer excludes. True if there
/// was a call.
bool fold_target_queries(llvm::Module& module, bool is_device);

} // namespace falx::compiler
