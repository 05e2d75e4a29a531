// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:                                            After, with the library's function inlined:
//   %y = call float @llvm.exp.f32(float %x)            %limited = select i1 (fcmp ogt float %x, 90.0), …
//                                                      %shifted = call float @llvm.fma.f32(float %limited, …)
//                                                      …
//                                                      %y = call float @llvm.ldexp(float %power, i32 %k)
//
// Vectors of the program's own are computed element by element, in front of what takes them apart anyway.
// What the library (math/cpu_math_library.c) does not have stays a call: SLEEF's or libm's.

#include "frontend/builtin_calls.hpp"
#include "frontend/integer_powers.hpp"
#include "frontend/known_math.hpp"
#include "frontend/library_linking.hpp"
#include "frontend/passes.hpp"
#include "passes.hpp"
#include "pipeline/pass_failures.hpp"
#include "pipeline/replacements.hpp"
#include "pipeline/target_machine_analysis.hpp"
#include "vectorizer/emission/vector_calls.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

using namespace llvm;

namespace falx::jit {

/// Of functions for processors with fused multiply-add, without which they would be neither exact nor fast,
/// and of others.
constexpr StringRef WITH_FMA = "__falx_cpu_", MENDED = "__falx_mended_";

/// The library's function for what the call computes, or for each element; empty if there is none.
static std::string function_for(const CallInst& call, bool has_fma) {
  const Function* callee = call.getCalledFunction();
  if (callee == nullptr || !callee->isDeclaration() || isa<ScalableVectorType>(call.getType()))
    return {};
  std::string name;
  if (callee->isIntrinsic()) {
    name = math_function_of(callee->getIntrinsicID()).str();
    const Type* element = call.getType()->getScalarType();
    if (!name.empty() && element->isFloatTy())
      name += 'f';
    else if (!element->isDoubleTy())
      return {};
  } else if (call.doesNotAccessMemory() && find_typed_math_function(callee->getName()) != nullptr) {
    name = callee->getName().str();
  }
  const bool has_exponent = callee->getIntrinsicID() == Intrinsic::powi;
  if (name.empty() || any_of(drop_end(call.args(), has_exponent ? 1 : 0),
                             [&](const Use& argument) { return argument->getType() != call.getType(); }))
    return {};
  std::string with_fma = (WITH_FMA + name).str(), mended = (MENDED + name).str();
  const bool may_be_short = isa<FPMathOperator>(call) && call.hasApproxFunc();
  std::string short_form = with_fma + "_short";
  if (has_fma && may_be_short && is_in_library(library::cpu_math, short_form))
    return short_form;
  if (has_fma && is_in_library(library::cpu_math, with_fma))
    return with_fma;
  return is_in_library(library::cpu_math, mended) ? mended : std::string();
}

/// One call for each element of a vector of the program's, but for elements that are poison, as all are that
/// nobody uses.
static Value* call_library(CallInst& call, StringRef symbol) {
  Type* type = call.getType();
  IRBuilder<> builder(&call);
  const auto* vector = dyn_cast<FixedVectorType>(type);
  if (vector == nullptr)
    return call_function(builder, symbol, type, SmallVector<Value*, 2>(call.args()));
  Value* result = PoisonValue::get(type);
  for (unsigned i = 0; i < vector->getNumElements(); ++i) {
    SmallVector<Value*, 2> arguments;
    for (Value* argument : call.args()) {
      Value* element = argument->getType()->isVectorTy() ? findScalarElement(argument, i) : argument;
      arguments.push_back(element != nullptr ? element : builder.CreateExtractElement(argument, i));
    }
    if (none_of(arguments, [](const Value* argument) { return isa<PoisonValue>(argument); }))
      result = builder.CreateInsertElement(
          result, call_function(builder, symbol, type->getScalarType(), arguments), i);
  }
  return result;
}

static bool replace_calls(Module& module, bool has_fma) {
  bool has_changed = false;
  for (Function& function : module)
    for (Instruction& instruction : make_early_inc_range(instructions(function)))
      if (auto* call = dyn_cast<CallInst>(&instruction); call != nullptr)
        if (const std::string symbol = function_for(*call, has_fma); !symbol.empty()) {
          replace_instruction(*call, call_library(*call, symbol));
          has_changed = true;
        }
  return has_changed;
}

/// The library's functions become part of the kernel; operands are frozen where they branch.
static void inline_library(Module& module) {
  for (Function& function : module) {
    if (function.isDeclaration() ||
        !(function.getName().starts_with(WITH_FMA) || function.getName().starts_with(MENDED)))
      continue;
    function.removeFnAttr(Attribute::NoInline);
    function.addFnAttr(Attribute::AlwaysInline);
    if (function.size() == 1)
      continue;
    for (User* user : function.users())
      for (Use& argument : cast<CallInst>(user)->args()) {
        IRBuilder<> builder(cast<CallInst>(user));
        argument = without_poison(argument, builder);
      }
  }
}

/// What scales by powers of two becomes ldexp where that is an instruction of vectors.
static void scale_by_ldexp(Module& module) {
  for (const char* name : {"__falx_cpu_scaled", "__falx_cpu_scaledf"})
    if (Function* function = module.getFunction(name))
      for (User* user : make_early_inc_range(function->users())) {
        auto* call = cast<CallInst>(user);
        IRBuilder<> builder(call);
        Value* exponent = builder.CreateTrunc(call->getArgOperand(1), builder.getInt32Ty());
        replace_instruction(*call,
                            builder.CreateIntrinsic(Intrinsic::ldexp, {call->getType(), exponent->getType()},
                                                    {call->getArgOperand(0), exponent}));
      }
}

static void mark_vector_ldexp(Module& module) {
  for (Function& function : module)
    if (function.getIntrinsicID() == Intrinsic::ldexp && !function.getReturnType()->isHalfTy() &&
        function.getArg(1)->getType()->isIntegerTy(32))
      for (User* user : function.users())
        cast<CallInst>(user)->addFnAttr(Attribute::get(module.getContext(), simd::VECTOR_INSTRUCTION));
}

static bool has_fma(const TargetMachine* machine) {
  return machine == nullptr || !machine->getTargetTriple().isX86() || has_x86_feature(*machine, "fma");
}

PreservedAnalyses define_math_functions::run(Module& module, ModuleAnalysisManager& analyses) {
  const TargetMachine* machine = analyses.getResult<target_machine_analysis>(module).machine;
  const bool has_vector_ldexp = machine != nullptr && has_x86_feature(*machine, "avx512vl");
  const bool has_powers = expand_integer_powers(module);
  const bool calls_library = replace_calls(module, has_fma(machine));
  if (calls_library) {
    if (Error error = define_from_library(module, library::cpu_math))
      return report(std::move(error), module, analyses);
    if (has_vector_ldexp)
      scale_by_ldexp(module);
    inline_library(module);
    inline_chosen().run(module, analyses);
  }
  if (has_vector_ldexp)
    mark_vector_ldexp(module);
  return has_powers || calls_library || has_vector_ldexp ? PreservedAnalyses::none()
                                                         : PreservedAnalyses::all();
}

} // namespace falx::jit
