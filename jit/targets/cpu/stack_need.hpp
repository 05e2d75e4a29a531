// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "frontend/kernel_attributes.hpp"
#include "targets/target_machine.hpp"

#include <llvm/IR/Module.h>

#include <cstdint>

/// \file
/// Private memory of kernels on CPUs is on the stack: a vector function holds the variables of all its lanes.
/// Threads' stacks are small and not checked, so the runtime has to know what a kernel takes.

namespace falx::jit {

/// What frames may take together: displacements in machine code have 31 bits.
constexpr std::uint64_t LARGEST_STACK = std::uint64_t{512} << 20;

/// Fails, as not_supported, if the variables of \p lanes work-items have no room on any stack.
llvm::Error check_private_bytes(const llvm::Module& module, std::uint64_t lanes, llvm::StringRef kernel);

/// Has code generation tell the frames, and check the guard page where recursion may reach it.
void prepare_frames(llvm::Module& module);

struct stack_need {
  std::uint64_t bytes = 0;
  bool is_unbounded = false;
};

/// What \p kernel and all that it calls take, by their \p frames.
stack_need find_stack_need(llvm::Module& module, const llvm::Function& kernel, const frame_sizes& frames);

} // namespace falx::jit
