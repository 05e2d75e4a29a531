// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:
//     %s = call float @sqrtf(float %r)
//     call void @__falx_work_group_barrier()
// After, with the function's declaration:
//     %s = call float @sqrtf(float %r) memory(none) nounwind willreturn
//     call void @__falx_work_group_barrier() convergent nounwind
//
// Besides, what host code needs is taken away (device_code/cleaning.cpp).

#include "device_code/cleaning.hpp"
#include "known_math.hpp"
#include "passes.hpp"

#include <llvm/ADT/StringMap.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace falx::jit {

/// On a device mathematical functions do not set errno (SYCL 2020 §4.17.5). Without this clang's math-errno
/// behaviour would keep sqrtf a call and every math call inside its loop.
static void describe_math(Function& function) {
  const math_function* known = find_typed_math_function(function.getName());
  if (known == nullptr)
    return;
  function.setMemoryEffects(known->has_results() ? MemoryEffects::argMemOnly(ModRefInfo::Mod)
                                                 : MemoryEffects::none());
  for (Attribute::AttrKind kind : {Attribute::NoUnwind, Attribute::WillReturn, Attribute::NoFree,
                                   Attribute::NoSync, Attribute::NoCallback})
    function.addFnAttr(kind);
}

static bool is_convergent_builtin(StringRef symbol) {
  enum class kind { pure, effects, convergent };
  static const StringMap<kind> kinds = {
#define FALX_BUILTIN(how, result, name, parameters) {"__falx_" #name, kind::how},
#include "falx/device_builtins.def"
  };
  return kinds.lookup(symbol) == kind::convergent;
}

static void describe_builtins(Function& function) {
  if (!function.getName().starts_with("__falx_"))
    return;
  function.addFnAttr(Attribute::NoUnwind);
  if (is_convergent_builtin(function.getName()))
    function.addFnAttr(Attribute::Convergent);
}

/// Attributes of call sites repeat or contradict those of functions; the functions' count. Attributes of
/// parameters and results stay.
static void drop_call_site_attributes(Function& function) {
  for (Instruction& instruction : instructions(function))
    if (auto* call = dyn_cast<CallBase>(&instruction)) {
      call->removeFnAttr(Attribute::NoInline);
      call->removeFnAttr(Attribute::NoBuiltin);
      if (Function* callee = call->getCalledFunction(); callee != nullptr && !callee->isDeclaration())
        call->setCallingConv(callee->getCallingConv());
    }
}

/// What the hardware does with denormal numbers is the target's business. LLVM does not inline functions into
/// ones that say something else of it, and libraries say nothing.
static void remove_denormal_modes(Function& function) {
  function.removeFnAttr("denormal-fp-math");
  function.removeFnAttr("denormal-fp-math-f32");
}

PreservedAnalyses prepare_device_code::run(Module& module, ModuleAnalysisManager&) {
  for (Function& function : module) {
    if (function.isIntrinsic())
      continue;
    device_code::remove_host_attributes(function);
    remove_denormal_modes(function);
    if (function.isDeclaration()) {
      describe_math(function);
      describe_builtins(function);
      continue;
    }
    device_code::remove_exceptions_and_instrumentation(function);
    function.addFnAttr(Attribute::NoUnwind);
    drop_call_site_attributes(function);
  }
  for (Function& function : make_early_inc_range(module))
    if (function.isDeclaration() && function.use_empty())
      function.eraseFromParent();
  return PreservedAnalyses::none();
}

} // namespace falx::jit
