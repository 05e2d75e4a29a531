// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

#include <string>
#include <utility>

namespace falx::jit {

/// What vectors of work-items are made for.
struct vector_options {
  unsigned sub_group_size = 1;
  bool sub_group_size_is_required = false;
  /// As in kernel_attributes.
  std::string vector_math;
  bool computes_under_masks = false;
};

/// Simplified device code to the function that the runtime calls: as vectors if that is possible and groups
/// do not have just one work-item, which may have vectors of its own; else one work-item after the other,
/// unless the program demands the sub-group size. A remark says why. See the .cpp file.
class form_kernel : public llvm::PassInfoMixin<form_kernel> {
public:
  explicit form_kernel(vector_options options) : options_(std::move(options)) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

private:
  vector_options options_;
};

/// The passes that form_kernel chooses between.
llvm::ModulePassManager vector_formation();
llvm::ModulePassManager scalar_formation();

/// Gives every function what set_target_attributes does.
struct apply_target_attributes : llvm::PassInfoMixin<apply_target_attributes> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace falx::jit
