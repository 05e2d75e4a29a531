// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Headers define some functions for all devices, with assembler names that begin with "falx.", where GPUs
// have instructions for them.
//
// Before:
//   define linkonce_odr i16 @falx.bfloat16_bits(float %value) {
//     …                                                               ; shifts, additions, a test for NaN
//   define linkonce_odr i32 @falx.read_only_u32(ptr %p) {
//     %x = load i32, ptr %p
// After:
//   define linkonce_odr i16 @falx.bfloat16_bits(float %value) {
//     %rounded = fptrunc float %value to bfloat
//     %bits = bitcast bfloat %rounded to i16
//     ret i16 %bits
//   define linkonce_odr i32 @falx.read_only_u32(ptr %p) {
//     %x = load i32, ptr %p, !invariant.load !{}

#include "frontend/kernel_attributes.hpp"
#include "math_library.hpp"
#include "passes.hpp"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/Module.h>

#include <optional>

using namespace llvm;

namespace falx::jit {

/// The result of \p function's new body.
using body_maker = Value* (*)(Function & function, IRBuilder<>& builder);

static Value* round_to_bfloat16(Function& function, IRBuilder<>& builder) {
  Value* rounded = builder.CreateFPTrunc(function.getArg(0), builder.getBFloatTy());
  return builder.CreateBitCast(rounded, builder.getInt16Ty());
}

static Value* multiply_and_add_bfloat16(Function& function, IRBuilder<>& builder) {
  SmallVector<Value*, 3> operands;
  for (Argument& argument : function.args())
    operands.push_back(builder.CreateBitCast(&argument, builder.getBFloatTy()));
  Value* result = builder.CreateIntrinsic(Intrinsic::fma, {builder.getBFloatTy()}, operands);
  return builder.CreateBitCast(result, builder.getInt16Ty());
}

/// tanh.approx.f32, which LLVM selects where a function may be approximated.
static Value* approximate_tanh(Function& function, IRBuilder<>& builder) {
  FastMathFlags flags;
  flags.setApproxFunc();
  builder.setFastMathFlags(flags);
  return builder.CreateIntrinsic(Intrinsic::tanh, {builder.getFloatTy()}, {function.getArg(0)});
}

/// Cycles of the multiprocessor, which runs all work-items of a group.
static Value* read_cycles(Function&, IRBuilder<>& builder) {
  return builder.CreateIntrinsic(builder.getInt64Ty(), Intrinsic::readcyclecounter, {});
}
/// The device's timer.
static Value* read_timer(Function&, IRBuilder<>& builder) {
  return builder.CreateIntrinsic(builder.getInt64Ty(), Intrinsic::readsteadycounter, {});
}

/// Four products of bytes and a sum; the flags say whether bytes have signs.
template <bool FirstIsSigned, bool SecondIsSigned>
static Value* accumulate_dot_product(Function& function, IRBuilder<>& builder) {
  constexpr Intrinsic::ID instruction =
      FirstIsSigned    ? SecondIsSigned ? Intrinsic::nvvm_idp4a_s_s : Intrinsic::nvvm_idp4a_s_u
      : SecondIsSigned ? Intrinsic::nvvm_idp4a_u_s
                       : Intrinsic::nvvm_idp4a_u_u;
  return builder.CreateIntrinsic(instruction, {},
                                 {function.getArg(0), function.getArg(1), function.getArg(2)});
}

/// Null if the header's own body stays.
static body_maker native_body(StringRef name, unsigned sm) {
  const unsigned has_bfloat16_fma = 80; // below, LLVM would round to float first
  return StringSwitch<body_maker>(name)
      .Case("falx.bfloat16_bits", round_to_bfloat16)
      .Case("falx.bfloat16_fma", sm >= has_bfloat16_fma ? multiply_and_add_bfloat16 : nullptr)
      .Case("falx.device_clock", read_timer)
      .Case("falx.dot_acc_ss", accumulate_dot_product<true, true>)
      .Case("falx.dot_acc_su", accumulate_dot_product<true, false>)
      .Case("falx.dot_acc_us", accumulate_dot_product<false, true>)
      .Case("falx.dot_acc_uu", accumulate_dot_product<false, false>)
      .Case("falx.group_clock", read_cycles)
      .Case("falx.native_tanh", sm >= HAS_APPROXIMATE_TANH ? approximate_tanh : nullptr)
      .Default(nullptr);
}

static void read_through_read_only_cache(Function& function) {
  for (Instruction& instruction : instructions(function))
    if (auto* load = dyn_cast<LoadInst>(&instruction);
        load != nullptr && load->getType() == function.getReturnType())
      load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(function.getContext(), {}));
}

PreservedAnalyses form_native_functions::run(Module& module, ModuleAnalysisManager&) {
  const Function* kernel = find_kernel(module);
  const unsigned sm = kernel != nullptr ? kernel_attributes::read(*kernel).sm : kernel_attributes().sm;
  bool has_changed = false;
  for (Function& function : module) {
    if (function.isDeclaration() || !function.getName().starts_with("falx."))
      continue;
    if (function.getName().starts_with("falx.read_only_")) {
      read_through_read_only_cache(function);
      has_changed = true;
    } else if (const body_maker make = native_body(function.getName(), sm)) {
      const GlobalValue::LinkageTypes linkage = function.getLinkage();
      function.deleteBody();
      function.setLinkage(linkage);
      IRBuilder<> builder(BasicBlock::Create(module.getContext(), "", &function));
      builder.CreateRet(make(function, builder));
      has_changed = true;
    }
  }
  return has_changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace falx::jit
