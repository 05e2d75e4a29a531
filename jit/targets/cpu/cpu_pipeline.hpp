// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "kernel_formation.hpp"
#include "request/request.hpp"

#include <llvm/Passes/PassBuilder.h>
#include <llvm/Target/TargetMachine.h>

#include <vector>

namespace falx::jit {

/// What a request asks of the passes, beside what the kernel's attributes hold.
struct cpu_pipeline_options {
  unsigned level = 3;
  vector_options vectors;
  std::vector<captured_bytes> captured;
  std::vector<captured_alignment> aligned;
  bool verifies = false;
};

/// How LLVM's pipelines are to be made for CPUs.
llvm::PipelineTuningOptions cpu_tuning(unsigned level);

/// All that happens between a module that is loaded and machine code for \p machine.
llvm::ModulePassManager cpu_pipeline(llvm::PassBuilder& builder, const llvm::TargetMachine& machine,
                                     cpu_pipeline_options options);

} // namespace falx::jit
