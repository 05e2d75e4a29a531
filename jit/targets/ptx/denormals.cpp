// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before, in a kernel with the attribute falx-flushes-denormals:
//   define float @f(float %x) {
//     %r = call float @llvm.nvvm.sqrt.approx.f(float %x)
// After, with "denormal-fp-math-f32"="preserve-sign,preserve-sign", which LLVM's code generator goes by:
//   define float @f(float %x) #0 {
//     %r = call float @llvm.nvvm.sqrt.approx.ftz.f(float %x)

#include "frontend/kernel_attributes.hpp"
#include "passes.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace falx::jit {

/// The form that takes denormal numbers for 0 of an approximate instruction of float.
static Intrinsic::ID flushing_form(Intrinsic::ID approximation) {
  switch (approximation) {
  case Intrinsic::nvvm_cos_approx_f:
    return Intrinsic::nvvm_cos_approx_ftz_f;
  case Intrinsic::nvvm_div_approx_f:
    return Intrinsic::nvvm_div_approx_ftz_f;
  case Intrinsic::nvvm_lg2_approx_f:
    return Intrinsic::nvvm_lg2_approx_ftz_f;
  case Intrinsic::nvvm_rsqrt_approx_f:
    return Intrinsic::nvvm_rsqrt_approx_ftz_f;
  case Intrinsic::nvvm_sin_approx_f:
    return Intrinsic::nvvm_sin_approx_ftz_f;
  case Intrinsic::nvvm_sqrt_approx_f:
    return Intrinsic::nvvm_sqrt_approx_ftz_f;
  default:
    return Intrinsic::not_intrinsic;
  }
}

static Function* flushing_declaration(Function& approximation) {
  Module& module = *approximation.getParent();
  if (approximation.getIntrinsicID() == Intrinsic::nvvm_ex2_approx)
    return approximation.getReturnType()->isFloatTy()
               ? Intrinsic::getOrInsertDeclaration(&module, Intrinsic::nvvm_ex2_approx_ftz,
                                                   {approximation.getReturnType()})
               : nullptr;
  const Intrinsic::ID form = flushing_form(approximation.getIntrinsicID());
  return form != Intrinsic::not_intrinsic ? Intrinsic::getOrInsertDeclaration(&module, form) : nullptr;
}

void flush_denormals::change(Function& kernel, FunctionAnalysisManager&) {
  if (!kernel_attributes::read(kernel).flushes_denormals)
    return;
  for (Function& function : make_early_inc_range(*kernel.getParent())) {
    if (!function.isDeclaration()) {
      function.addFnAttr("denormal-fp-math-f32", "preserve-sign,preserve-sign");
    } else if (Function* flushing = flushing_declaration(function)) {
      flushing->setAttributes(function.getAttributes());
      function.replaceAllUsesWith(flushing);
      function.eraseFromParent();
    }
  }
}

} // namespace falx::jit
