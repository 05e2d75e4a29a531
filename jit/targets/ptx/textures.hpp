// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/IRBuilder.h>

namespace falx::jit {

/// What __falx_texture_color gives, before \p call, which remains.
llvm::Value* emit_texture_color(llvm::CallInst& call, llvm::IRBuilder<>& builder);

} // namespace falx::jit
