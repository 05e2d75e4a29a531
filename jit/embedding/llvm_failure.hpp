// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>

#include <string>

namespace falx::jit {

/// Calls \p work. Gives why LLVM gave up meanwhile, for want of memory or because a target cannot do
/// something; empty if it did not. LLVM, which knows no exceptions, is left as it was in the middle of that:
/// from then on this only says so again and calls nothing.
std::string failure_of_llvm(llvm::function_ref<void()> work);

} // namespace falx::jit
