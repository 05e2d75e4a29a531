// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Function.h>

#include <cstdint>

namespace falx::jit {

/// Bytes of the function's variables of fixed size; as many as 64 bits can count if there are more.
std::uint64_t private_bytes(const llvm::Function& function);

/// The variables' sizes are not all known when the function is compiled.
bool has_variable_frame(const llvm::Function& function);

} // namespace falx::jit
