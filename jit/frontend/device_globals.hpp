// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "jit.hpp"
#include "pipeline/pass_failures.hpp"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/Error.h>

namespace falx::jit {

/// Whether the variable is one that place_device_globals made.
bool is_device_global(const llvm::GlobalVariable& variable);

/// Of class work_group_static. Its memory is the work-group's (work_group_variables.cpp).
bool is_work_group_variable(const llvm::GlobalVariable& variable);

/// Puts the address that \p find_address makes in the place of \p variable, which is \p what, if the kernel
/// uses it, and says whether it does. Fails with a sentence where the address is needed and not known.
llvm::Expected<bool> replace_by_address(llvm::Function& kernel, llvm::GlobalVariable& variable,
                                        llvm::StringRef what,
                                        llvm::function_ref<llvm::Expected<llvm::Value*>()> find_address);

/// Before the image at \p index is linked: gives its device globals names that tell their slots, so that
/// those of one variable become one symbol, and those of equal names in several images stay apart.
llvm::Error place_device_globals(llvm::Module& image, std::size_t index,
                                 llvm::ArrayRef<device_global> globals);

/// Writes down in the kernel's attributes how many addresses a launch passes, and where.
void describe_device_globals(llvm::Function& kernel, const request& request);

/// After inlining: replaces device globals by the addresses behind the kernel's function object. Fails with a
/// sentence if the address of one is needed where there is none.
struct lower_device_globals : kernel_pass<lower_device_globals> {
  llvm::Error change(llvm::Function& kernel, llvm::FunctionAnalysisManager& analyses);
};

} // namespace falx::jit
