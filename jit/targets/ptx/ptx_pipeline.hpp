// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "request/request.hpp"

#include <llvm/Passes/PassBuilder.h>
#include <llvm/Target/TargetMachine.h>

namespace falx::jit {

/// Device code that was made for the host to a kernel that calls nothing but what PTX has, by what \p request
/// asks beside what the kernel's attributes hold; it outlives the pipeline. The module is the host's until
/// that is done: LLVM's analyses of the target and its libraries differ, so this and what follows each have
/// analyses of their own.
llvm::ModulePassManager ptx_lowering(const request& request, bool verifies);

/// How LLVM's pipelines are to be made for GPUs, on top of which \p builder gets our passes in their midst.
llvm::PipelineTuningOptions ptx_tuning(unsigned level);
void extend_pipelines_for_ptx(llvm::PassBuilder& builder);

/// What happens to a module that is retargeted until PTX is made. \p builder is extended.
llvm::ModulePassManager ptx_optimization(const request& request, llvm::PassBuilder& builder);

/// From the host's target to \p machine's. The layouts agree on every type that device code may use;
/// alignments that the old one implies are written down.
void retarget(llvm::Module& module, const llvm::TargetMachine& machine);

} // namespace falx::jit
