// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls become those of intrinsics for vectors, or of SLEEF.
//
// Before:                                                After, with AVX-512:
//   %y = call float @sinf(float %x)                        %y = call <16 x float> @Sleef_sinf16_u10avx512f(
//                                                                <16 x float> %x)
//
// SLEEF is a shared library with its vectors in registers as the C ABI has them, so machine code of kernels
// calls it as it calls libm: by its name, found when the kernel is linked and loaded. Its functions have an
// error of at most 1 unit in the last place (erfc: 1.5), where SYCL allows 2 to 16. Its fmod and remainder
// are left out: they are exact for small quotients only.

#include "vector_calls.hpp"
#include "frontend/known_math.hpp"
#include "lane_values.hpp"
#include "pipeline/replacements.hpp"

#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <algorithm>

using namespace llvm;

namespace falx::jit::simd {

static constexpr const char* ATTRIBUTE = "falx-vector-math";

void use_math_instructions(Function& work_item) {
  for (Instruction& instruction : make_early_inc_range(instructions(work_item))) {
    auto* call = dyn_cast<CallInst>(&instruction);
    const Function* callee = call == nullptr ? nullptr : call->getCalledFunction();
    if (callee == nullptr || !callee->isDeclaration() || !call->doesNotAccessMemory())
      continue;
    const Intrinsic::ID id = StringSwitch<Intrinsic::ID>(callee->getName())
                                 .Cases({"sqrt", "sqrtf"}, Intrinsic::sqrt)
                                 .Cases({"fma", "fmaf"}, Intrinsic::fma)
                                 .Default(Intrinsic::not_intrinsic);
    if (id == Intrinsic::not_intrinsic)
      continue;
    IRBuilder<> builder(call);
    const SmallVector<Value*, 3> arguments(call->args());
    replace_instruction(*call, builder.CreateIntrinsic(id, {call->getType()}, arguments, /*FMFSource=*/call));
  }
}

/// Name and accuracy, as in "sin_u10"; empty if there is none.
static std::string vector_function(const CallInst& call) {
  Type* type = call.getType();
  const Function* callee = call.getCalledFunction();
  if (callee == nullptr || !callee->isDeclaration() || !(type->isFloatTy() || type->isDoubleTy()) ||
      any_of(call.args(), [&](const Use& argument) { return argument->getType() != type; }))
    return {};
  StringRef name = callee->getName();
  if (callee->isIntrinsic())
    name = math_function_of(callee->getIntrinsicID());
  else if (!call.doesNotAccessMemory() || (type->isFloatTy() && !name.consume_back("f")))
    return {};
  const math_function* function = find_math_function(name);
  if (function == nullptr || function->vector_accuracy.empty())
    return {};
  return (name + "_" + function->vector_accuracy).str();
}

void find_vector_math(Function& work_item, StringRef level) {
  for (Instruction& instruction : instructions(work_item))
    if (auto* call = dyn_cast<CallInst>(&instruction))
      if (const std::string function = vector_function(*call); !function.empty())
        call->addFnAttr(Attribute::get(call->getContext(), ATTRIBUTE, function + "," + level.str()));
}

bool is_vector_math(const CallInst& call) {
  return !vector_function(call).empty();
}

/// find_vector_math found one.
static bool has_vector_math(const CallInst& call) {
  return call.getAttributes().hasFnAttr(ATTRIBUTE);
}

namespace {

/// One of SLEEF's instruction sets for vectors of a number of 32-bit (64-bit) lanes.
struct variant {
  unsigned lanes;
  const char* name;
};

} // namespace

/// The widest that is no wider than need be.
static variant choose(StringRef level, bool is_double, unsigned lanes) {
  const unsigned half = is_double ? 2 : 1;
  if (level == "avx512f" && lanes * half >= 16)
    return {16 / half, "avx512f"};
  if (level != "sse4" && lanes * half >= 8)
    return {8 / half, "avx2"};
  return {4 / half, level == "sse4" ? "sse4" : "avx2128"};
}

/// The function for vectors, as often as it takes to have \p lanes lanes.
static Value* emit_vector_math(IRBuilder<>& builder, const CallInst& call, unsigned lanes,
                               ArrayRef<Value*> arguments) {
  const auto [function, level] = call.getAttributes().getFnAttr(ATTRIBUTE).getValueAsString().split(',');
  const auto [name, accuracy] = function.split('_');
  const bool is_double = call.getType()->isDoubleTy();
  const variant chosen = choose(level, is_double, lanes);
  auto* type = FixedVectorType::get(call.getType(), chosen.lanes);
  const std::string symbol =
      ("Sleef_" + name + (is_double ? "d" : "f") + Twine(chosen.lanes) + "_" + accuracy + chosen.name).str();
  const SmallVector<Type*, 2> parameters(arguments.size(), type);
  FunctionCallee callee = builder.GetInsertBlock()->getModule()->getOrInsertFunction(
      symbol, FunctionType::get(type, parameters, /*isVarArg=*/false));
  auto& declaration = *cast<Function>(callee.getCallee());
  declaration.setDoesNotAccessMemory();
  declaration.setDoesNotThrow();
  declaration.setWillReturn();

  SmallVector<Value*, 8> parts;
  for (unsigned first = 0; first < lanes; first += chosen.lanes) {
    const unsigned used = std::min(chosen.lanes, lanes);
    SmallVector<Value*, 2> operands;
    for (Value* argument : arguments)
      operands.push_back(
          builder.CreateShuffleVector(argument, createSequentialMask(first, used, chosen.lanes - used)));
    parts.push_back(builder.CreateCall(callee, operands));
  }
  return builder.CreateShuffleVector(concatenateVectors(builder, parts), createSequentialMask(0, lanes, 0));
}

bool has_vector_form(const CallInst& call) {
  if (has_vector_math(call) || call.getAttributes().hasFnAttr(VECTOR_INSTRUCTION))
    return true;
  const auto* intrinsic = dyn_cast<IntrinsicInst>(&call);
  if (intrinsic == nullptr)
    return false;
  const Intrinsic::ID id = intrinsic->getIntrinsicID();
  if (call.getType()->isVoidTy() && intrinsic->isAssumeLikeIntrinsic())
    return true;
  if (call.getType()->isX86_FP80Ty())
    return false;
  // What is a function of the library becomes a call of it for each element.
  return isa<WithOverflowInst>(call) || (isTriviallyVectorizable(id) && math_function_of(id).empty());
}

Value* emit_vector_form(IRBuilder<>& builder, const CallInst& call, unsigned lanes,
                        function_ref<Value*(Value*)> operand) {
  if (call.getType()->isVoidTy())
    return nullptr;
  SmallVector<Value*, 4> arguments;
  for (const auto& [index, argument] : enumerate(call.args())) {
    const bool is_scalar =
        isVectorIntrinsicWithScalarOpAtArg(call.getIntrinsicID(), unsigned(index), nullptr);
    arguments.push_back(is_scalar ? argument.get() : operand(argument));
  }
  if (has_vector_math(call))
    return emit_vector_math(builder, call, lanes, arguments);
  CallInst* result =
      builder.CreateIntrinsic(widened(call.getType(), lanes), call.getIntrinsicID(), arguments);
  if (isa<FPMathOperator>(result))
    result->copyFastMathFlags(&call);
  return result;
}

} // namespace falx::jit::simd
