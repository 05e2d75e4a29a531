// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Module.h>
#include <llvm/Support/Error.h>

namespace falx::jit {

/// Gives the kernel the form that targets/ptx_abi.hpp describes: the function object and the launch's
/// arguments are parameters by value, and pointers in the function object point to global memory. Returns the
/// new function. See the .cpp file for the IR before and after.
llvm::Expected<llvm::Function*> form_ptx_entry(llvm::Module& module);

/// The entry's parameters.
llvm::Argument* function_object(llvm::Function& entry);
llvm::Argument* launch_arguments_of(llvm::Function& entry);

/// Tells that the pointers which \p entry loads from its function object point to global memory. Called again
/// when optimisation has turned copies of the function object into loads.
void mark_captured_pointers(llvm::Function& entry);
/// Says of captured pointers in global memory what the loads' metadata says of their alignment: that is not
/// seen through the casts. After the last mark_captured_pointers, which would take the casts for uses.
void assume_captured_alignments(llvm::Function& entry);

} // namespace falx::jit
