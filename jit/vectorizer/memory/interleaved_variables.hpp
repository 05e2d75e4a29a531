// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Instructions.h>

#include <cstdint>

namespace falx::jit::simd {

/// Lays private variables out so that the lanes' copies of one element are next to each other, where all that
/// is done with a variable allows it. See the .cpp file.
void interleave_private_variables(llvm::Function& work_item, unsigned lanes);

/// Bytes between neighbouring lanes' copies of an element of a variable that interleave_private_variables has
/// laid out, and which is as large as all lanes need; 0 for any other.
std::uint64_t interleaved_element(const llvm::AllocaInst& variable);

} // namespace falx::jit::simd
