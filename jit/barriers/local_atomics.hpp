// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Instructions.h>

namespace falx::jit {

/// Marks the atomic operations on local memory: all who may see that memory are run by one thread. They stay
/// atomic operations while work-items are brought together.
void mark_local_atomics(llvm::Function& work_item);
bool is_marked_local(const llvm::Instruction& atomic);
/// Keeps the mark on a copy.
void copy_local_mark(const llvm::Instruction& from, llvm::Instruction& to);

/// Makes plain loads, arithmetic and stores of what is marked.
void lower_local_atomics(llvm::Module& module);

} // namespace falx::jit
