// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "pass_failures.hpp"

#include <llvm/Passes/PassBuilder.h>
#include <llvm/Target/TargetMachine.h>

namespace falx::jit {

/// Makes the passes of passes.def known to \p builder: by name in textual pipelines and to LLVM's
/// instrumentation, with the analyses that they need. They report to \p failures. Of function passes the
/// name stands for a module pass, too, which runs them on every function. With a \p machine its
/// pipelines have names, too: that of a CPU is all in "falx-cpu"; for a GPU "falx-ptx-lowering", which is for
/// the host's target, comes before "falx-ptx-optimization", and LLVM's pipelines have our passes in their
/// midst.
void register_passes(llvm::PassBuilder& builder, llvm::TargetMachine* machine, pass_failures& failures);

} // namespace falx::jit
