// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:
//   %color = call <4 x float> @__falx_texture_color(i64 %texture, float %x, float %y)
// After:
//   %texel = call { float, float, float, float } @llvm.nvvm.tex.unified.2d.v4f32.f32(i64 %texture, float %x, float %y)
//   %red = extractvalue { float, float, float, float } %texel, 0
//   %r = insertelement <4 x float> poison, float %red, i64 0
//   …
//
// The texture is an object of the driver's with its own sampler (cuda_textures). Lines are pictures of one
// row.

#include "textures.hpp"

#include <llvm/IR/IntrinsicsNVPTX.h>

using namespace llvm;

namespace falx::jit {

Value* emit_texture_color(CallInst& call, IRBuilder<>& builder) {
  Value* texel =
      builder.CreateIntrinsic(Intrinsic::nvvm_tex_unified_2d_v4f32_f32, {},
                              {call.getArgOperand(0), call.getArgOperand(1), call.getArgOperand(2)});
  Value* color = PoisonValue::get(call.getType());
  for (unsigned component = 0; component < 4; ++component)
    color = builder.CreateInsertElement(color, builder.CreateExtractValue(texel, component), component);
  return color;
}

} // namespace falx::jit
