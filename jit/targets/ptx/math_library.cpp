// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "math_library.hpp"
#include "frontend/known_math.hpp"
#include "frontend/library_linking.hpp"
#include "pipeline/replacements.hpp"

#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

#include <string>
#include <vector>

using namespace llvm;

namespace falx::jit {

math_library::math_library(Module& module, std::unique_ptr<Module> library)
    : module_(&module), library_(std::move(library)),
      is_libdevice_(library_->getFunction("__nv_sinf") != nullptr) {}

Expected<math_library> math_library::open(Module& module, StringRef bitcode) {
  Expected<std::unique_ptr<Module>> library = open_library(bitcode, module.getContext());
  if (!library)
    return library.takeError();
  return math_library(module, std::move(*library));
}

/// libdevice: __nv_sinf and __nv_sin. libclc: the mangled names of OpenCL's overloads.
std::string math_library::symbol(StringRef name, Type* type) const {
  if (is_libdevice_)
    return ("__nv_" + name + (type->isFloatTy() ? "f" : "")).str();
  // What stands for the type of the first operand in libclc, and for all operands here.
  const char real = type->isFloatTy() ? 'f' : 'd';
  const math_function* function = find_math_function(name == "powi" ? "ldexp" : name);
  const StringRef operands = function != nullptr ? function->operands : "x";
  const StringRef opencl = name == "powi" ? "pown" : name;
  std::string result = "_Z" + utostr(opencl.size()) + opencl.str();
  for (const char operand : operands)
    result += operand == 'x' ? real : operand;
  return result;
}

/// OpenCL's sincos gives the sine.
Value* math_library::call_with_pointer_to_cosine(ArrayRef<Value*> operands, IRBuilder<>& builder) {
  Value* sine = call("sincos", {operands[0], operands[2]}, operands[0]->getType(), builder);
  return sine != nullptr ? builder.CreateStore(sine, operands[1]) : nullptr;
}

Value* math_library::call(StringRef name, ArrayRef<Value*> operands, Type* result, IRBuilder<>& builder) {
  if (name == "sincos" && operands.size() == 3 && !is_libdevice_)
    return call_with_pointer_to_cosine(operands, builder);
  const std::string symbol = this->symbol(name, operands[0]->getType());
  const Function* function = library_->getFunction(symbol);
  if (function == nullptr)
    return nullptr;
  SmallVector<Type*, 3> types;
  for (Value* operand : operands)
    types.push_back(operand->getType());
  FunctionType* type = FunctionType::get(result, types, false);
  if (function->getFunctionType() != type)
    return nullptr;
  called_ = true;
  SmallVector<Value*, 3> values;
  for (Value* operand : operands)
    values.push_back(without_poison(operand, builder));
  return builder.CreateCall(module_->getOrInsertFunction(symbol, type), values);
}

/// libdevice queries properties of the target by name.
static void fold_reflection(Module& module, unsigned sm, bool flushes_denormals) {
  Function* reflection = module.getFunction("__nvvm_reflect");
  if (reflection == nullptr)
    return;
  for (User* user : make_early_inc_range(reflection->users())) {
    auto* call = cast<CallInst>(user);
    StringRef name;
    if (const auto* text = dyn_cast<GlobalVariable>(call->getArgOperand(0)->stripPointerCasts());
        text != nullptr && text->hasInitializer())
      if (const auto* data = dyn_cast<ConstantDataSequential>(text->getInitializer()))
        name = data->isCString() ? data->getAsCString() : StringRef();
    const unsigned answer = StringSwitch<unsigned>(name)
                                .Case("__CUDA_ARCH", sm * 10)
                                .Cases({"__CUDA_PREC_SQRT", "__CUDA_PREC_DIV"}, 1)
                                .Case("__CUDA_FTZ", flushes_denormals)
                                .Default(0);
    replace_instruction(*call, ConstantInt::get(call->getType(), answer));
  }
  reflection->eraseFromParent();
}

/// libdevice has assembly for what is an intrinsic now. LLVM takes such calls for ones that may not return:
/// it computes nothing in front of a branch that holds one, and keeps what a loop adds up in memory behind
/// it.
static void replace_assembly(Module& module) {
  for (Function& function : module)
    for (Instruction& instruction : make_early_inc_range(instructions(function))) {
      auto* call = dyn_cast<CallInst>(&instruction);
      if (call == nullptr || !call->isInlineAsm() || !call->doesNotAccessMemory())
        continue;
      const Intrinsic::ID intrinsic =
          StringSwitch<Intrinsic::ID>(cast<InlineAsm>(call->getCalledOperand())->getAsmString())
              .Case("rcp.approx.ftz.f32 $0,$1;", Intrinsic::nvvm_rcp_approx_ftz_f)
              .Case("rsqrt.approx.ftz.f64 $0, $1;", Intrinsic::nvvm_rsqrt_approx_ftz_d)
              .Default(Intrinsic::not_intrinsic);
      if (intrinsic == Intrinsic::not_intrinsic)
        call->addFnAttr(Attribute::WillReturn);
      else
        replace_instruction(*call,
                            IRBuilder<>(call).CreateIntrinsic(intrinsic, {}, {call->getArgOperand(0)}));
    }
}

static bool has_variables(const Function& function) {
  return any_of(instructions(function), [](const Instruction& each) { return isa<AllocaInst>(each); });
}

/// libdevice keeps some functions out of line. Of these, what has variables in memory is for arguments that
/// are seldom met (the sine of a large double). Inlined, it would take registers and the instruction cache
/// from the rest, and loops would be too large to be unrolled. pow of double is faster in line.
static void keep_out_of_line(Module& module, ArrayRef<std::string> names) {
  for (const std::string& name : names)
    if (Function* function = module.getFunction(name); function != nullptr && has_variables(*function))
      function->addFnAttr(Attribute::NoInline);
}

Error math_library::link(unsigned sm, bool flushes_denormals) {
  if (!called_)
    return Error::success();
  std::vector<std::string> out_of_line;
  if (is_libdevice_)
    for (const Function& function : *library_)
      if (function.hasFnAttribute(Attribute::NoInline))
        out_of_line.push_back(function.getName().str());
  if (Error error = link_library(*module_, std::move(library_)))
    return error;
  keep_out_of_line(*module_, out_of_line);
  fold_reflection(*module_, sm, flushes_denormals);
  replace_assembly(*module_);
  return Error::success();
}

} // namespace falx::jit
