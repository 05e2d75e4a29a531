// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace falx::jit {

/// Numbers of sycl::access::address_space.
enum class address_space : unsigned { global_space, local_space, constant_space, private_space };

/// Answers the calls of __falx_lies_in_address_space in the kernel whose object is known, so that variables
/// of which nothing else takes the address become values. See the .cpp file for IR before and after.
struct fold_known_address_spaces : llvm::PassInfoMixin<fold_known_address_spaces> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace falx::jit
