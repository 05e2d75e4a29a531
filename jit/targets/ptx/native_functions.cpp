// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Headers define some functions for all devices, with assembler names that begin with "falx."; those that
// GPUs have instructions for ptx_builtins.c defines, too.
//
// Before:
//   define linkonce_odr i16 @falx.bfloat16_bits(float %value) {
//     …                                                               ; shifts, additions, a test for NaN
//   define linkonce_odr i32 @falx.read_only_u32(ptr %p) {
//     %x = load i32, ptr %p
// After, and define_builtins links the library's:
//   declare i16 @falx.bfloat16_bits(float %value)
//   define linkonce_odr i32 @falx.read_only_u32(ptr %p) {
//     %x = load i32, ptr %p, !invariant.load !{}

#include "frontend/kernel_attributes.hpp"
#include "frontend/library_linking.hpp"
#include "math_library.hpp"
#include "passes.hpp"
#include "pipeline/kernel_lookup.hpp"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace falx::jit {

/// The compute capability from which on the library's body is better than the header's.
static unsigned least_sm(StringRef name) {
  const unsigned has_bfloat16_fma = 80; // below, LLVM would round to float first
  return StringSwitch<unsigned>(name).Case("falx.bfloat16_fma", has_bfloat16_fma).Default(0);
}

/// tanh.approx.f32, which LLVM selects where a function may be approximated; C cannot say that of one call.
static void approximate_tanh(Function& function) {
  function.deleteBody();
  function.setComdat(nullptr);
  function.setLinkage(GlobalValue::InternalLinkage);
  IRBuilder<> builder(BasicBlock::Create(function.getContext(), "entry", &function));
  FastMathFlags flags;
  flags.setApproxFunc();
  builder.setFastMathFlags(flags);
  builder.CreateRet(builder.CreateUnaryIntrinsic(Intrinsic::tanh, function.getArg(0)));
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
    const StringRef name = function.getName();
    if (function.isDeclaration() || !name.starts_with("falx."))
      continue;
    if (name.starts_with("falx.read_only_")) {
      read_through_read_only_cache(function);
      has_changed = true;
    } else if (name == "falx.native_tanh" && sm >= HAS_APPROXIMATE_TANH) {
      approximate_tanh(function);
      has_changed = true;
    } else if (is_in_library(library::ptx_builtins, name) && sm >= least_sm(name)) {
      function.deleteBody();
      function.setComdat(nullptr);
      has_changed = true;
    }
  }
  return has_changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace falx::jit
