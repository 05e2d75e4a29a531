// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/Metadata.h>

namespace falx::jit {

/// May work-items that run \p work_item communicate without a barrier: does it hold atomic or volatile
/// accesses, fences, or calls of functions that may?
bool synchronizes(const llvm::Function& work_item);

/// Declares the memory accesses of \p body, one work-item's code between barriers, free of dependences
/// between work-items: two work-items that touch the same bytes without atomics race, which is undefined
/// (SYCL 2020 §3.8.3.1). Returns metadata for the latch of the work-item loop around \p body, which lets LLVM
/// vectorise without run-time alias checks; null if \p body synchronizes. Accesses to private variables that
/// stay on the stack are not declared, as all iterations share that memory.
llvm::MDNode* declare_parallel_accesses(llvm::Function& body);

} // namespace falx::jit
