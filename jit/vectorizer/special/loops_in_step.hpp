// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Function.h>

namespace falx::jit {

/// Puts barriers into the loops that a group's sub-groups had better go through side by side, one iteration
/// at a time. For a work-item function that becomes vectors, before its barriers are split. See the .cpp file
/// for an example.
void keep_loops_in_step(llvm::Function& work_item);

} // namespace falx::jit
