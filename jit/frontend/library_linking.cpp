// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "library_linking.hpp"
#include "device_code/cleaning.hpp"
#include "kernel_attributes.hpp"
#include "passes.hpp"
#include "pipeline/pass_failures.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <map>
#include <mutex>

using namespace llvm;

namespace falx::jit {

Expected<std::unique_ptr<Module>> open_library(StringRef bitcode, LLVMContext& context) {
  Expected<std::unique_ptr<Module>> library =
      getLazyBitcodeModule(MemoryBufferRef(bitcode, "library"), context, /*ShouldLazyLoadMetadata=*/true);
  if (!library)
    return failure("A library of device functions is damaged: " + toString(library.takeError()) + ".");
  return library;
}

Error link_library(Module& module, std::unique_ptr<Module> library) {
  SmallPtrSet<const Function*, 32> before;
  for (const Function& function : module)
    if (!function.isDeclaration())
      before.insert(&function);
  // So that LLVM's linker does not warn; the types in question have the same layout everywhere.
  library->setTargetTriple(module.getTargetTriple());
  library->setDataLayout(module.getDataLayout());
  if (Linker::linkModules(module, std::move(library), Linker::LinkOnlyNeeded))
    return failure("A library of device functions cannot be linked.");
  for (Function& function : module) {
    if (function.isDeclaration() || before.contains(&function))
      continue;
    function.setLinkage(GlobalValue::InternalLinkage);
    function.setVisibility(GlobalValue::DefaultVisibility);
    function.setDSOLocal(true);
    function.removeFnAttr(Attribute::Convergent);
    device_code::remove_host_attributes(function);
  }
  return Error::success();
}

Value* without_poison(Value* value, IRBuilderBase& builder) {
  return isGuaranteedNotToBePoison(value) ? value : builder.CreateFreeze(value, value->getName());
}

/// The names of what \p which defines; read once, as most modules need nothing of most libraries.
static const StringSet<>& symbols_of(library which) {
  static std::mutex mutex;
  static std::map<library, StringSet<>> known;
  const std::lock_guard lock(mutex);
  const auto [symbols, is_new] = known.try_emplace(which);
  if (is_new) {
    LLVMContext context;
    const std::unique_ptr<Module> functions = cantFail(open_library(bitcode_of(which), context));
    for (const Function& function : *functions)
      if (!function.isDeclaration())
        symbols->second.insert(function.getName());
  }
  return symbols->second;
}

bool is_in_library(library which, StringRef function) {
  return symbols_of(which).contains(function);
}

Error define_from_library(Module& module, library which) {
  const StringSet<>& symbols = symbols_of(which);
  if (none_of(module, [&](const Function& function) {
        return function.isDeclaration() && symbols.contains(function.getName());
      }))
    return Error::success();
  Expected<std::unique_ptr<Module>> functions = open_library(bitcode_of(which), module.getContext());
  return functions ? link_library(module, std::move(*functions)) : functions.takeError();
}

void inline_bodies(SmallVector<CallBase*, 16> calls) {
  while (!calls.empty()) {
    InlineFunctionInfo info;
    [[maybe_unused]] const InlineResult result = InlineFunction(*calls.pop_back_val(), info);
    assert(result.isSuccess() && "bodies of builtins are plain code");
    copy_if(info.InlinedCallSites, std::back_inserter(calls), [](const CallBase* call) {
      const Function* callee = call->getCalledFunction();
      return callee != nullptr && callee->hasFnAttribute(Attribute::AlwaysInline);
    });
  }
}

PreservedAnalyses define_builtins::run(Module& module, ModuleAnalysisManager& analyses) {
  return report(define_from_library(module, builtins_), module, analyses);
}

} // namespace falx::jit
