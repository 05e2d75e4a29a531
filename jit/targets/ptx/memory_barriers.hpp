// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ptx_attributes.hpp"

#include <llvm/IR/Instructions.h>
#include <llvm/Support/Error.h>

namespace falx::jit {

/// Replaces a call of __falx_async_barrier_* by mbarrier instructions. Fails, naming the kernel, below sm_80
/// and in kernels without work-items of their own.
llvm::Error expand_async_barrier(llvm::CallInst& call, const ptx_attributes& attributes);

} // namespace falx::jit
