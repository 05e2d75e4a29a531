// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Support/Error.h>

#include <optional>
#include <string>
#include <type_traits>

namespace falx::jit {

/// What passes find in a kernel that keeps it from being compiled. Once there is a failure, no pass that LLVM
/// does not require runs any more, so there is at most one.
class pass_failures {
public:
  enum class destination {
    /// For take.
    caller,
    /// LLVM's diagnostic handler, for tools: unless told otherwise it ends the process.
    diagnostics,
  };
  explicit pass_failures(destination destination) : destination_(destination) {}
  pass_failures(const pass_failures&) = delete;
  pass_failures& operator=(const pass_failures&) = delete;

  void add(llvm::LLVMContext& context, llvm::Error error);
  bool has_failed() const { return error_.has_value(); }
  /// The failure, after which passes run again; success if there is none.
  llvm::Error take();
  /// The failure of the passes that \p run runs, which then is nobody else's.
  llvm::Error take_from(llvm::function_ref<void()> run);

  /// What the user may want to know of a kernel that can be compiled.
  void add_remark(llvm::LLVMContext& context, std::string sentence);
  /// All of them, a line each.
  std::string take_remark() { return std::move(remark_); }

private:
  const destination destination_;
  unsigned attempts_ = 0;
  std::optional<llvm::Error> error_;
  std::string remark_;
};

/// Where passes get the pass_failures of the run that they are a part of.
class failure_analysis : public llvm::AnalysisInfoMixin<failure_analysis> {
  friend llvm::AnalysisInfoMixin<failure_analysis>;
  static llvm::AnalysisKey Key;

public:
  struct Result {
    pass_failures* failures;
    bool invalidate(llvm::Module&, const llvm::PreservedAnalyses&,
                    llvm::ModuleAnalysisManager::Invalidator&) {
      return false;
    }
  };
  explicit failure_analysis(pass_failures& failures) : failures_(&failures) {}
  Result run(llvm::Module&, llvm::ModuleAnalysisManager&) { return {failures_}; }

private:
  pass_failures* failures_;
};

/// Passes on \p error, if it is one. For the end of a pass: nothing is preserved.
llvm::PreservedAnalyses report(llvm::Error error, llvm::Module& module,
                               llvm::ModuleAnalysisManager& analyses);

/// The run method of a pass that works on the kernel: \p change gets it. A module without one is a failure.
llvm::PreservedAnalyses
change_kernel(llvm::Module& module, llvm::ModuleAnalysisManager& analyses,
              llvm::function_ref<llvm::Error(llvm::Function&, llvm::FunctionAnalysisManager&)> change);

/// A pass that works on the kernel and needs nothing of the module's analyses, by a member
/// change(llvm::Function& kernel, llvm::FunctionAnalysisManager& analyses) that gives an error, or, if it
/// cannot fail, nothing.
template <class Pass>
struct kernel_pass : llvm::PassInfoMixin<Pass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
    auto& pass = static_cast<Pass&>(*this);
    return change_kernel(
        module, analyses,
        [&](llvm::Function& kernel, llvm::FunctionAnalysisManager& functions) -> llvm::Error {
          if constexpr (!std::is_void_v<decltype(pass.change(kernel, functions))>)
            return pass.change(kernel, functions);
          else
            return pass.change(kernel, functions), llvm::Error::success();
        });
  }
};

} // namespace falx::jit
