// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>

#include <utility>

namespace falx::jit {

/// Marked with the attribute "falx-kind" (frontend/kernel_attributes.hpp).
inline bool is_kernel(const llvm::Function& function) {
  return function.hasFnAttribute("falx-kind");
}

/// The first kernel of the module; null if there is none.
inline const llvm::Function* find_kernel(const llvm::Module& module) {
  const auto kernel = llvm::find_if(module, is_kernel);
  return kernel == module.end() ? nullptr : &*kernel;
}
inline llvm::Function* find_kernel(llvm::Module& module) {
  return const_cast<llvm::Function*>(find_kernel(std::as_const(module)));
}

} // namespace falx::jit
