// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "pipeline/pass_failures.hpp"

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/Support/Error.h>
#include <llvm/Transforms/Utils/ExtraPassManager.h>

namespace falx::jit {

/// Inlines everything into the kernel and simplifies it: private variables become SSA values, constants fold,
/// loops get their normal form. Barriers are convergent calls, which these passes neither make conditional
/// nor move. Fails if a function that needs work-item builtins cannot be inlined (recursion, SYCL 2020 §5.4).
/// Of what the kernel writes of its function object each work-item gets a copy (captured_state.cpp). What
/// \p prepare adds runs on functions while private variables are still memory.
llvm::ModulePassManager
scalar_simplification(llvm::function_ref<void(llvm::FunctionPassManager&)> prepare = nullptr);
/// Its two parts, between which what is inlined can be decided: what is done to each function by itself
/// (simplify_callees), and the rest.
llvm::ModulePassManager callee_simplification();
llvm::ModulePassManager
kernel_simplification(llvm::function_ref<void(llvm::FunctionPassManager&)> prepare = nullptr);

/// The same simplifications for a kernel of which simplify_again says that values have become constants
/// since.
llvm::ModulePassManager simplification_of_constants();

/// Simplifies a function that is going to be inlined, once instead of at each call. The compiler has done so
/// before: of a function without branches only what references promise of alignment is left to be said, which
/// is forgotten with the parameter.
class simplify_callees : public llvm::PassInfoMixin<simplify_callees> {
public:
  simplify_callees();
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

private:
  llvm::FunctionPassManager with_branches_, without_branches_;
};

/// LLVM's SimplifyCFG with costs that are no target's. For one work-item's code: a minimum is dear beside a
/// branch for the processor that a target describes, but where work-items diverge the branch is two masks,
/// and what a join brings comes from two blocks, which keeps accesses apart.
struct remove_branches : llvm::PassInfoMixin<remove_branches> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

/// On functions that a pass has changed in such a way that simplifications repay: LLVM's marker for extra
/// passes.
struct simplify_again : llvm::ShouldRunExtraPasses<simplify_again>, llvm::AnalysisInfoMixin<simplify_again> {
  static llvm::AnalysisKey Key;
};

/// The run method of a pass that changes the kernel, and says whether it did: then simplify_again is there.
llvm::PreservedAnalyses simplify_if_changed(llvm::Module& module, llvm::ModuleAnalysisManager& analyses,
                                            llvm::function_ref<llvm::Expected<bool>(llvm::Function&)> change);

/// Fails on the first builtin that is called outside of the kernel, if any.
struct check_inlining : llvm::PassInfoMixin<check_inlining> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

/// Removes what builtins that turned out to be constants make unreachable in a kernel of kind nd_range: code
/// for other sub-group sizes, whose barriers would be split for nothing.
struct fold_constants : kernel_pass<fold_constants> {
  void change(llvm::Function& kernel, llvm::FunctionAnalysisManager& analyses);
};

} // namespace falx::jit
