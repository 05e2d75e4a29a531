// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass_failures.hpp"

#include "kernel_lookup.hpp"
#include "target_machine_analysis.hpp"

#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <cassert>

using namespace llvm;

namespace falx::jit {

AnalysisKey failure_analysis::Key;

void pass_failures::add(LLVMContext& context, Error error) {
  assert(!has_failed() && "a pass has run behind a failure");
  if (destination_ == destination::diagnostics && attempts_ == 0) {
    const std::string sentence = toString(std::move(error));
    context.diagnose(DiagnosticInfoGeneric(sentence));
    error = createStringError(sentence);
  }
  error_ = std::move(error);
}

Error pass_failures::take() {
  if (!error_)
    return Error::success();
  Error error = std::move(*error_);
  error_.reset();
  return error;
}

Error pass_failures::take_from(function_ref<void()> run) {
  ++attempts_;
  run();
  --attempts_;
  return take();
}

void pass_failures::add_remark(LLVMContext& context, std::string sentence) {
  if (destination_ == destination::diagnostics)
    context.diagnose(DiagnosticInfoGeneric(sentence, DS_Remark));
  remark_ += (remark_.empty() ? "" : "\n") + sentence;
}

PreservedAnalyses report(Error error, Module& module, ModuleAnalysisManager& analyses) {
  if (error)
    analyses.getResult<failure_analysis>(module).failures->add(module.getContext(), std::move(error));
  return PreservedAnalyses::none();
}

PreservedAnalyses change_kernel(Module& module, ModuleAnalysisManager& analyses,
                                function_ref<Error(Function&, FunctionAnalysisManager&)> change) {
  Function* const kernel = find_kernel(module);
  if (kernel == nullptr)
    return report(createStringError("no function has the attribute \"falx-kind\""), module, analyses);
  if (any_of(make_range(std::next(kernel->getIterator()), module.end()), is_kernel))
    return report(
        createStringError("several functions have the attribute \"falx-kind\": passes work on one kernel"),
        module, analyses);
  analyses.getResult<target_machine_analysis>(module); // for those who ask by cached_machine
  return report(change(*kernel, analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager()),
                module, analyses);
}

} // namespace falx::jit
