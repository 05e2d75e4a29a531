// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ptx_attributes.hpp"

#include <llvm/ADT/StringRef.h>
#include <llvm/IR/IRBuilder.h>

namespace falx::jit {

/// Copies from global to shared memory behind a thread's back: since sm_80. Where one thread of control runs
/// the group's body, it would have to be the same thread that waits.
bool has_async_copies(const ptx_attributes& attributes);

/// Emits __falx_\p name, async_copy or wait_for_async_copies, at \p call, which remains.
void emit_async_copy(llvm::StringRef name, llvm::CallInst& call, llvm::IRBuilder<>& builder,
                     const ptx_attributes& attributes);

} // namespace falx::jit
