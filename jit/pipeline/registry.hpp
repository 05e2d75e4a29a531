// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "pass_failures.hpp"

#include <llvm/Passes/PassBuilder.h>
#include <llvm/Target/TargetMachine.h>

namespace falx::jit {

/// Makes the passes of passes.def known to \p builder: by name in textual pipelines and to LLVM's
/// instrumentation, with the analyses that they need. They report to \p failures. Of function passes the
/// name stands for a module pass, too, which runs them on every function. With a \p machine, that of a CPU,
/// "falx-cpu" is the whole pipeline for it.
void register_passes(llvm::PassBuilder& builder, llvm::TargetMachine* machine, pass_failures& failures);

} // namespace falx::jit
