// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassInstrumentation.h>

namespace falx::jit {

/// Leaves out LLVM's passes on functions where they would take longer than all others together and find
/// nothing. The .cpp file names them.
void limit_passes(llvm::PassInstrumentationCallbacks& callbacks);

} // namespace falx::jit
