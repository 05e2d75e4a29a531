// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:                                               After, with libdevice and with libclc:
//   %a = call float @sinhf(float %x)                      %a = call float @__nv_sinhf(float %x)
//                                                         %a = call float @_Z4sinhf(float %x)
//   %b = call double @llvm.pow.f64(double %y, double %z)  %b = call double @__nv_pow(double %y, double %z)
//   %c = call half @llvm.exp.f16(half %h)                 %w = fpext half %h to float
//                                                         %e = call float @__nv_expf(float %w)
//                                                         %c = fptrunc float %e to half
//   %d = call i64 @lroundf(float %x)                      %r = call float @llvm.round.f32(float %x)
//                                                         %d = fptosi float %r to i64
//   %e = call afn float @llvm.sin.f32(float %x)           %e = call float @llvm.nvvm.sin.approx.f(float %x)
//
//   %s = call double @sin(double %x)                      call void @__nv_sincos(double %x, ptr %f, ptr %g)
//   %c = call double @cos(double %x)                      %s = load double, ptr %f
//                                                         %c = load double, ptr %g
//
// Vectors are taken apart first. What is no instruction of PTX and in no library is put together from what
// is.

#include "frontend/builtin_calls.hpp"
#include "frontend/integer_powers.hpp"
#include "frontend/kernel_attributes.hpp"
#include "frontend/known_math.hpp"
#include "frontend/library_linking.hpp"
#include "frontend/scalar_simplification.hpp"
#include "math_library.hpp"
#include "passes.hpp"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/Analysis/SimplifyQuery.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace falx::jit {

namespace {

/// A call of a mathematical function: its name in <math.h> without the suffix of the type.
struct math_call {
  StringRef name;
  Instruction* call;
};

class math_expansion {
public:
  explicit math_expansion(math_library& library) : library_(library) {}

  /// False if the function is unknown; then nothing changes.
  bool expand(const math_call& call);

private:
  Value* emit(StringRef name, ArrayRef<Value*> operands, Type* result, IRBuilder<>& builder);
  Value* emit_vector(StringRef name, ArrayRef<Value*> operands, FixedVectorType* result,
                     IRBuilder<>& builder);
  Value* emit_through_float(StringRef name, ArrayRef<Value*> operands, Type* result, IRBuilder<>& builder);
  Value* emit_scalar(StringRef name, ArrayRef<Value*> operands, Type* result, IRBuilder<>& builder);
  Value* emit_with_pointer(StringRef name, ArrayRef<Value*> operands, Type* result, IRBuilder<>& builder);

  math_library& library_;
};

} // namespace

/// Functions that are one instruction of PTX, or few, and exact.
static Intrinsic::ID exact_intrinsic(StringRef name) {
  const math_function* function = find_math_function(name);
  return function != nullptr && function->is_instruction ? function->intrinsic : Intrinsic::not_intrinsic;
}

/// The rounding of a function that rounds to an integer.
static Intrinsic::ID rounding_of(StringRef name) {
  return StringSwitch<Intrinsic::ID>(name)
      .Cases({"lrint", "llrint"}, Intrinsic::rint)
      .Cases({"lround", "llround"}, Intrinsic::round)
      .Default(Intrinsic::not_intrinsic);
}

/// Is \p callee the function of <math.h> whose name it has? Gives the name for double.
static StringRef name_of_function(const Function& callee) {
  if (!callee.isDeclaration() || callee.arg_empty())
    return {};
  Type* operand = callee.getArg(0)->getType();
  StringRef name = callee.getName();
  if (operand->isDoubleTy())
    return name;
  if (!operand->isFloatTy())
    return {};
  return name.consume_back("f") ? name : StringRef();
}

static math_call classify(Instruction& instruction) {
  if (instruction.getOpcode() == Instruction::FRem)
    return {"fmod", &instruction};
  const auto* call = dyn_cast<CallInst>(&instruction);
  const Function* callee = call != nullptr ? call->getCalledFunction() : nullptr;
  if (callee == nullptr)
    return {{}, nullptr};
  return {callee->isIntrinsic() ? math_function_of(callee->getIntrinsicID()) : name_of_function(*callee),
          &instruction};
}

/// Intrinsics with two results: the library's functions store the second one.
Value* math_expansion::emit_with_pointer(StringRef name, ArrayRef<Value*> operands, Type* result,
                                         IRBuilder<>& builder) {
  auto* both = cast<StructType>(result);
  Type* second = both->getElementType(1);
  BasicBlock& entry = builder.GetInsertBlock()->getParent()->getEntryBlock();
  AllocaInst* place = IRBuilder<>(&entry, entry.begin()).CreateAlloca(second);
  if (name == "sincos") {
    AllocaInst* sine = IRBuilder<>(&entry, entry.begin()).CreateAlloca(second);
    emit_scalar("sincos", {operands[0], sine, place}, builder.getVoidTy(), builder);
    Value* pair = builder.CreateInsertValue(PoisonValue::get(both), builder.CreateLoad(second, sine), 0);
    return builder.CreateInsertValue(pair, builder.CreateLoad(second, place), 1);
  }
  Value* first = library_.call(name, {operands[0], place}, both->getElementType(0), builder);
  if (first == nullptr)
    return nullptr;
  Value* pair = builder.CreateInsertValue(PoisonValue::get(both), first, 0);
  return builder.CreateInsertValue(pair, builder.CreateLoad(second, place), 1);
}

/// What may be approximated (-ffast-math) is what sycl::native has, as it is for NVCC; null if that has none.
static Value* approximate(StringRef name, ArrayRef<Value*> operands, Type* result, IRBuilder<>& builder) {
  const std::string native = ("__falx_native_" + name + "_f32").str();
  if (!builder.getFastMathFlags().approxFunc() || !result->isFloatTy() ||
      !is_in_library(library::ptx_builtins, native))
    return nullptr;
  return call_function(builder, native, result, operands);
}

/// pow of float from the instructions for 2^x and log2, where the result may be approximated and neither NaN
/// nor infinite; null elsewhere. A negative base has an integer as its exponent then, which says what sign
/// the result has.
static Value* approximate_power(ArrayRef<Value*> operands, Type* result, IRBuilder<>& builder) {
  const FastMathFlags flags = builder.getFastMathFlags();
  if (!flags.approxFunc() || !flags.noNaNs() || !flags.noInfs() || !result->isFloatTy())
    return nullptr;
  Value *base = operands[0], *exponent = operands[1];
  if (exponent->getType()->isIntegerTy())
    exponent = builder.CreateSIToFP(exponent, result);
  const Module& module = *builder.GetInsertBlock()->getModule();
  const SimplifyQuery query(module.getDataLayout(), &*builder.GetInsertPoint());
  const bool has_sign = !cannotBeOrderedLessThanZero(base, query);
  Value* magnitude = has_sign ? builder.CreateUnaryIntrinsic(Intrinsic::fabs, base) : base;
  Value* power = call_function(builder, "__falx_native_powr_f32", result, {magnitude, exponent});
  if (has_sign) {
    Value* half = builder.CreateFMul(exponent, ConstantFP::get(result, 0.5));
    Value* is_odd = builder.CreateFCmpONE(builder.CreateUnaryIntrinsic(Intrinsic::trunc, half), half);
    power = builder.CreateSelect(is_odd, builder.CreateCopySign(power, base), power);
  }
  // The logarithm of 0 is infinite, and its product with 0 no number.
  Value* is_zero = builder.CreateFCmpOEQ(exponent, ConstantFP::getZero(result));
  return builder.CreateSelect(is_zero, ConstantFP::get(result, 1), power);
}

/// Of float or double.
Value* math_expansion::emit_scalar(StringRef name, ArrayRef<Value*> operands, Type* result,
                                   IRBuilder<>& builder) {
  if (const Intrinsic::ID exact = exact_intrinsic(name); exact != Intrinsic::not_intrinsic)
    return builder.CreateIntrinsic(exact, {result}, operands);
  if (const Intrinsic::ID rounding = rounding_of(name); rounding != Intrinsic::not_intrinsic)
    return builder.CreateFPToSI(builder.CreateUnaryIntrinsic(rounding, operands[0]), result);
  if (name == "scalbn" || name == "scalbln" || name == "ldexp") {
    // Beyond the range of int the result is 0 or infinite anyway.
    Value* exponent = operands[1];
    if (Type* type = exponent->getType(); type->getIntegerBitWidth() > 32) {
      exponent = builder.CreateBinaryIntrinsic(Intrinsic::smax, exponent,
                                               ConstantInt::getSigned(type, std::numeric_limits<int>::min()));
      exponent = builder.CreateBinaryIntrinsic(Intrinsic::smin, exponent,
                                               ConstantInt::getSigned(type, std::numeric_limits<int>::max()));
    }
    exponent = builder.CreateSExtOrTrunc(exponent, builder.getInt32Ty());
    return library_.call("ldexp", {operands[0], exponent}, result, builder);
  }
  if (Value* approximation = name == "pow" || name == "powi" ? approximate_power(operands, result, builder)
                                                             : approximate(name, operands, result, builder))
    return approximation;
  return library_.call(name, operands, result, builder);
}

/// Half and bfloat16.
static bool is_narrow(const Type& type) {
  return type.isHalfTy() || type.isBFloatTy();
}

/// Of these: float has more than twice their precision.
Value* math_expansion::emit_through_float(StringRef name, ArrayRef<Value*> operands, Type* result,
                                          IRBuilder<>& builder) {
  Type* wide = builder.getFloatTy();
  SmallVector<Value*, 3> widened;
  for (Value* operand : operands)
    widened.push_back(operand->getType()->isFloatingPointTy() ? builder.CreateFPExt(operand, wide) : operand);
  if (result->isStructTy()) {
    Type* narrow = operands[0]->getType();
    Type* second = result->getStructElementType(1);
    Value* pair =
        emit(name, widened, StructType::get(wide, second->isFloatingPointTy() ? wide : second), builder);
    if (pair == nullptr)
      return nullptr;
    Value* first = builder.CreateFPTrunc(builder.CreateExtractValue(pair, 0), narrow);
    Value* other = builder.CreateExtractValue(pair, 1);
    if (second->isFloatingPointTy())
      other = builder.CreateFPTrunc(other, narrow);
    return builder.CreateInsertValue(builder.CreateInsertValue(PoisonValue::get(result), first, 0), other, 1);
  }
  Value* value = emit(name, widened, result->isFloatingPointTy() ? wide : result, builder);
  return value != nullptr && result->isFloatingPointTy() ? builder.CreateFPTrunc(value, result) : value;
}

Value* math_expansion::emit_vector(StringRef name, ArrayRef<Value*> operands, FixedVectorType* result,
                                   IRBuilder<>& builder) {
  Value* vector = PoisonValue::get(result);
  for (unsigned element = 0; element < result->getNumElements(); ++element) {
    SmallVector<Value*, 3> scalars;
    for (Value* operand : operands)
      scalars.push_back(operand->getType()->isVectorTy() ? builder.CreateExtractElement(operand, element)
                                                         : operand);
    Value* value = emit(name, scalars, result->getElementType(), builder);
    if (value == nullptr)
      return nullptr;
    vector = builder.CreateInsertElement(vector, value, element);
  }
  return vector;
}

/// Null if the function is unknown.
Value* math_expansion::emit(StringRef name, ArrayRef<Value*> operands, Type* result, IRBuilder<>& builder) {
  if (auto* vector = dyn_cast<FixedVectorType>(result))
    return emit_vector(name, operands, vector, builder);
  Type* type = operands[0]->getType();
  if (is_narrow(*type))
    return emit_through_float(name, operands, result, builder);
  if (!type->isFloatTy() && !type->isDoubleTy())
    return nullptr;
  return result->isStructTy() ? emit_with_pointer(name, operands, result, builder)
                              : emit_scalar(name, operands, result, builder);
}

/// A half as float; or a bfloat16, of which headers shift the bits.
static bool is_widened(Value& value) {
  constexpr unsigned NARROW = 16;
  if (const auto* extended = dyn_cast<FPExtInst>(&value))
    return is_narrow(*extended->getSrcTy()->getScalarType());
  Value* bits = nullptr;
  return match(&value, m_BitCast(m_Shl(m_ZExt(m_Value(bits)), m_SpecificInt(NARROW)))) &&
         bits->getType()->isIntegerTy(NARROW);
}

/// Is the function of float computed for half or bfloat16, as its argument and what becomes of its result
/// say?
static bool is_of_half(const Instruction& call) {
  return is_narrow(*call.getType()->getScalarType()) ||
         (is_widened(*call.getOperand(0)) && all_of(call.users(), [&](const User* user) {
            return isa<FPTruncInst>(user) && is_narrow(*user->getType()->getScalarType());
          }));
}

/// Functions whose approximations are right to 22 bits or, near a logarithm's zero, err by no more than
/// 2^-22: where half and bfloat16 have numbers, half an ulp of these at most.
static bool is_exact_enough_for_half(StringRef name) {
  return is_contained({"exp", "exp2", "exp10", "log", "log2", "log10"}, name);
}

bool math_expansion::expand(const math_call& math) {
  IRBuilder<> builder(math.call);
  if (auto* operation = dyn_cast<FPMathOperator>(math.call)) {
    FastMathFlags flags = operation->getFastMathFlags();
    if (is_exact_enough_for_half(math.name) && is_of_half(*math.call))
      flags.setApproxFunc();
    builder.setFastMathFlags(flags);
  }
  auto* call = dyn_cast<CallInst>(math.call);
  SmallVector<Value*, 3> operands(call != nullptr ? call->args() : math.call->operands());
  Value* result = emit(math.name, operands, math.call->getType(), builder);
  if (result == nullptr)
    return false;
  if (!math.call->getType()->isVoidTy())
    math.call->replaceAllUsesWith(result);
  math.call->eraseFromParent();
  return true;
}

static bool is_instruction(const Instruction& instruction, unsigned sm) {
  const auto* call = dyn_cast<IntrinsicInst>(&instruction);
  return call != nullptr && call->getIntrinsicID() == Intrinsic::tanh && call->getType()->isFloatTy() &&
         call->hasApproxFunc() && sm >= HAS_APPROXIMATE_TANH;
}

namespace {

/// The sine and the cosine of a number in a block, or null.
struct sine_and_cosine {
  Instruction *sine = nullptr, *cosine = nullptr;
};

} // namespace

/// Both results at the place of the first one.
static math_call unite(const sine_and_cosine& both) {
  Instruction* first = both.sine->comesBefore(both.cosine) ? both.sine : both.cosine;
  IRBuilder<> builder(first);
  FastMathFlags flags = both.sine->getFastMathFlags();
  flags &= both.cosine->getFastMathFlags();
  builder.setFastMathFlags(flags);
  Value* operand = first->getOperand(0);
  auto* pair = cast<Instruction>(builder.CreateIntrinsic(Intrinsic::sincos, {operand->getType()}, {operand}));
  both.sine->replaceAllUsesWith(builder.CreateExtractValue(pair, 0));
  both.cosine->replaceAllUsesWith(builder.CreateExtractValue(pair, 1));
  return {"sincos", pair};
}

/// Most of what a sine costs is bringing a large number near 0, which a cosine needs, too. Approximations
/// have instructions.
static void unite_sines_and_cosines(SmallVectorImpl<math_call>& calls) {
  MapVector<std::pair<const BasicBlock*, const Value*>, sine_and_cosine> found;
  for (const auto& [name, call] : calls)
    if (Type* type = call->getType(); (name == "sin" || name == "cos") && !call->hasApproxFunc() &&
                                      (type->isFloatTy() || type->isDoubleTy())) {
      sine_and_cosine& both = found[{call->getParent(), call->getOperand(0)}];
      (name == "sin" ? both.sine : both.cosine) = call;
    }
  SmallPtrSet<Instruction*, 8> united;
  for (const auto& [place, both] : found)
    if (both.sine != nullptr && both.cosine != nullptr) {
      united.insert({both.sine, both.cosine});
      calls.push_back(unite(both));
    }
  erase_if(calls, [&](const math_call& math) { return united.contains(math.call); });
  for (Instruction* call : united)
    call->eraseFromParent();
}

static Error lower(Module& module, StringRef library_bitcode, const kernel_attributes& attributes) {
  expand_integer_powers(module);
  SmallVector<math_call, 16> calls;
  for (Function& function : module)
    for (Instruction& instruction : instructions(function))
      if (const math_call call = classify(instruction);
          !call.name.empty() && !is_instruction(instruction, attributes.sm))
        calls.push_back(call);
  if (calls.empty())
    return Error::success();
  Expected<math_library> library = math_library::open(module, library_bitcode);
  if (!library)
    return library.takeError();
  unite_sines_and_cosines(calls);
  math_expansion expansion(*library);
  for (const math_call& call : calls)
    expansion.expand(call); // what stays is judged by check_finished_code
  if (Error error = define_from_library(module, library::ptx_builtins))
    return error;
  return library->link(attributes.sm, attributes.flushes_denormals);
}

/// LLVM 22 declares some of the approximate instructions so that they may not leave their branch, and with
/// them what the library computes of a loop's invariants stays in the loop.
static void allow_speculation(Module& module) {
  for (Function& function : module)
    if (function.isIntrinsic() && function.doesNotAccessMemory() && function.getName().contains(".approx."))
      function.setSpeculatable();
}

/// The library selects by branches around nothing. InstCombine, once such a function is inlined, would move
/// into them what is selected.
static void form_selections(Function& entry, FunctionAnalysisManager& analyses) {
  for (Function& function : *entry.getParent())
    if (&function != &entry && !function.isDeclaration())
      analyses.invalidate(function, remove_branches().run(function, analyses));
}

Error lower_math_functions::change(Function& entry, FunctionAnalysisManager& analyses) {
  Error error = lower(*entry.getParent(), library_, kernel_attributes::read(entry));
  allow_speculation(*entry.getParent());
  form_selections(entry, analyses);
  return error;
}

} // namespace falx::jit
