// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "pipeline/pass_failures.hpp"
#include "vectorizer/passes.hpp"

#include <optional>
#include <string>
#include <utility>

/// \file
/// The passes of target cpu, each with the file that shows IR before and after.

namespace falx::jit {

/// What vectors of work-items are made for.
struct vector_options {
  unsigned sub_group_size = 1;
  bool sub_group_size_is_required = false;
  /// As in configuration.
  bool vectors_must_pay = false;
  /// As in request.
  bool takes_other_form = false;
  /// As in kernel_attributes.
  std::string vector_math;
  bool computes_under_masks = false;
};

/// Has failed assertions say which work-item failed (assertions.cpp).
struct name_failing_work_items : llvm::PassInfoMixin<name_failing_work_items> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

/// What fmod and remainder return is computed by a quotient where that is exact (remainders.cpp).
struct expand_remainders : llvm::PassInfoMixin<expand_remainders> {
  /// \p has_fused: the processor has fused products and sums.
  explicit expand_remainders(bool has_fused) : has_fused(has_fused) {}
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

private:
  bool has_fused;
};

/// Work-items are expected not to come to conditional calls that print, or of cold functions
/// (cold_calls.cpp).
struct expect_no_cold_calls : llvm::PassInfoMixin<expect_no_cold_calls> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

/// Copies of small structures from memory to memory become loads and stores of words, which vectors have
/// (structure_copies.cpp). To be run when variables have become values, before others do.
struct copy_by_words : llvm::PassInfoMixin<copy_by_words> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

/// Fuses products and sums that may be contracted, and leaves none to instruction selection, so that all
/// forms of a kernel round alike (contraction.cpp). To be run when functions have been inlined.
struct fuse_contracted : llvm::PassInfoMixin<fuse_contracted> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

/// Target cpu: turns the kernel's entry into a work-item function whose parameters hold what builtins tell,
/// and expands all builtins but the work-group barrier of kind nd_range (lower_builtins.cpp). Fails on an
/// unknown builtin or a scratch size that is not a constant.
struct lower_builtins : kernel_pass<lower_builtins> {
  llvm::Error change(llvm::Function& kernel, llvm::FunctionAnalysisManager& analyses);
};

/// Simplified device code to the function that the runtime calls: as vectors if that is possible and groups
/// do not have just one work-item, which may have vectors of its own, and if they need not pay or are
/// estimated to (or not to, if the other form is taken); else one work-item after the other, unless the
/// program demands the sub-group size. A remark says why if it is not possible (kernel_formation.cpp).
class form_kernel : public llvm::PassInfoMixin<form_kernel> {
public:
  explicit form_kernel(vector_options options) : options_(std::move(options)) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

private:
  vector_options options_;
};

/// The passes that form_kernel chooses between. vector_formation fails where what weighs, if anything does,
/// chooses the other.
llvm::ModulePassManager vector_formation(std::optional<simd::weigh_forms> weighs);
llvm::ModulePassManager scalar_formation();

/// Puts the bodies of math/cpu_math_library.c in the place of calls of mathematical functions, where the
/// target has fused multiply-add, and says of ldexp whether the target has it for vectors
/// (math_functions.cpp).
struct define_math_functions : llvm::PassInfoMixin<define_math_functions> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

/// Emits the function that the runtime calls (falx::cpu::kernel_function) around a work-item function (kinds
/// single_task, range and work_group), its vector form (kind range) or a group function (kind nd_range), and
/// the falx_kernel_properties that point to it (kernel_function.cpp).
struct emit_kernel_function : kernel_pass<emit_kernel_function> {
  void change(llvm::Function& kernel, llvm::FunctionAnalysisManager& analyses);
};

/// Gives every function what set_target_attributes does.
struct apply_target_attributes : llvm::PassInfoMixin<apply_target_attributes> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace falx::jit
