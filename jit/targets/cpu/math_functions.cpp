// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:                                            After, with the library's function inlined:
//   %y = call float @llvm.exp.f32(float %x)            %limited = select i1 (fcmp ogt float %x, 90.0), …
//                                                      %shifted = call float @llvm.fma.f32(float %limited, …)
//                                                      …
//                                                      %y = call float @llvm.ldexp.f32.i32(float %power, i32 %k)
//
// What the library (math/cpu_math_library.c) does not have stays a call: SLEEF's or libm's.

#include "frontend/known_math.hpp"
#include "frontend/library_linking.hpp"
#include "frontend/passes.hpp"
#include "passes.hpp"
#include "pipeline/pass_failures.hpp"
#include "pipeline/target_machine_analysis.hpp"
#include "targets/target_machine.hpp"
#include "vectorizer/emission/vector_calls.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

using namespace llvm;

namespace falx::jit {

constexpr StringRef PREFIX = "__falx_cpu_";

/// The library's function for what the call computes; empty if there is none, as for vectors of the
/// program's.
static std::string function_for(const CallInst& call) {
  const Function* callee = call.getCalledFunction();
  if (callee == nullptr || !callee->isDeclaration())
    return {};
  std::string name;
  if (callee->isIntrinsic()) {
    name = math_function_of(callee->getIntrinsicID()).str();
    if (!name.empty() && call.getType()->isFloatTy())
      name += 'f';
    else if (!call.getType()->isDoubleTy())
      return {};
  } else if (call.doesNotAccessMemory() && find_typed_math_function(callee->getName()) != nullptr) {
    name = callee->getName().str();
  }
  if (name.empty() ||
      any_of(call.args(), [&](const Use& argument) { return argument->getType() != call.getType(); }))
    return {};
  const std::string symbol = (PREFIX + name).str();
  std::string short_form = symbol + "_short";
  const bool may_be_short = isa<FPMathOperator>(call) && call.hasApproxFunc();
  if (may_be_short && is_in_library(library::cpu_math, short_form))
    return short_form;
  return is_in_library(library::cpu_math, symbol) ? symbol : std::string();
}

static Value* call_library(CallInst& call, StringRef symbol) {
  const FunctionCallee callee = call.getModule()->getOrInsertFunction(symbol, call.getFunctionType());
  const SmallVector<Value*, 2> arguments(call.args());
  return IRBuilder<>(&call).CreateCall(callee, arguments);
}

static bool replace_calls(Module& module) {
  bool has_changed = false;
  for (Function& function : module)
    for (Instruction& instruction : make_early_inc_range(instructions(function)))
      if (auto* call = dyn_cast<CallInst>(&instruction); call != nullptr)
        if (const std::string symbol = function_for(*call); !symbol.empty()) {
          Value* result = call_library(*call, symbol);
          result->takeName(call);
          call->replaceAllUsesWith(result);
          call->eraseFromParent();
          has_changed = true;
        }
  return has_changed;
}

/// Answers what the library asks about the target.
static void answer(Module& module, StringRef question, bool answer) {
  Function* function = module.getFunction(question);
  if (function == nullptr)
    return;
  for (User* user : make_early_inc_range(function->users())) {
    auto* call = cast<CallInst>(user);
    call->replaceAllUsesWith(ConstantInt::getBool(call->getType(), answer));
    call->eraseFromParent();
  }
  function->eraseFromParent();
}

static void mark_vector_ldexp(Module& module) {
  for (Function& function : module)
    if (function.getIntrinsicID() == Intrinsic::ldexp && !function.getReturnType()->isHalfTy() &&
        function.getArg(1)->getType()->isIntegerTy(32))
      for (User* user : function.users())
        cast<CallInst>(user)->addFnAttr(Attribute::get(module.getContext(), simd::VECTOR_INSTRUCTION));
}

/// Without it the library's functions would be neither exact nor fast.
static bool has_fma(const TargetMachine* machine) {
  return machine == nullptr || !machine->getTargetTriple().isX86() || has_x86_feature(*machine, "fma");
}

PreservedAnalyses define_math_functions::run(Module& module, ModuleAnalysisManager& analyses) {
  const TargetMachine* machine = analyses.getResult<target_machine_analysis>(module).machine;
  const bool has_vector_ldexp = machine != nullptr && has_x86_feature(*machine, "avx512vl");
  const bool calls_library = has_fma(machine) && replace_calls(module);
  if (calls_library) {
    if (Error error = define_from_library(module, library::cpu_math))
      return report(std::move(error), module, analyses);
    answer(module, "__falx_has_vector_ldexp", has_vector_ldexp);
    inline_chosen().run(module, analyses);
  }
  if (has_vector_ldexp)
    mark_vector_ldexp(module);
  return calls_library || has_vector_ldexp ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace falx::jit
