// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "request/request.hpp"

#include <llvm/Passes/PassBuilder.h>
#include <llvm/Target/TargetMachine.h>

namespace falx::jit {

/// How LLVM's pipelines are to be made for CPUs.
llvm::PipelineTuningOptions cpu_tuning(unsigned level);

/// What is done before it is known what the code is worth: each function by itself.
llvm::ModulePassManager cpu_preparation();
/// The rest of cpu_pipeline; \p is_quick: for quick code (quick_code.hpp).
llvm::ModulePassManager cpu_formation(llvm::PassBuilder& builder, const llvm::TargetMachine& machine,
                                      const request& request, bool is_quick, bool verifies);

/// All that happens between a module that is loaded and machine code for \p machine, by what \p request asks
/// beside what the kernel's attributes hold.
llvm::ModulePassManager cpu_pipeline(llvm::PassBuilder& builder, const llvm::TargetMachine& machine,
                                     const request& request, bool verifies);

} // namespace falx::jit
