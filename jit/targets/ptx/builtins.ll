; Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; The builtins that need no index space, for GPUs of NVIDIA's: prefetches and native functions. They are inlined.
; Fences and atomic scopes, which are constants only then, are lowered in builtins.cpp.

define i64 @__falx_cache_line_bytes() alwaysinline {
  ret i64 128
}

; There is one instruction for the first and one for the second level, which is the last.
define void @__falx_prefetch(ptr %object, i32 %level, i1 zeroext %nontemporal) alwaysinline {
  %close = icmp eq i32 %level, 1
  br i1 %close, label %first, label %second
first:
  call void @llvm.prefetch.p0(ptr %object, i32 0, i32 3, i32 1)
  ret void
second:
  call void @llvm.prefetch.p0(ptr %object, i32 0, i32 2, i32 1)
  ret void
}

define zeroext i1 @__falx_has_half_fma() alwaysinline {
  ret i1 true
}

; Off by at most 2 units in the last place of float and 1 of double: what CUDA's own functions are.
define float @__falx_rsqrt_f32(float %x) alwaysinline {
  %result = call float @llvm.nvvm.rsqrt.approx.f(float %x)
  ret float %result
}
define double @__falx_rsqrt_f64(double %x) alwaysinline {
  %result = call double @llvm.nvvm.rsqrt.approx.d(double %x)
  ret double %result
}

; What the hardware has is base 2; the other bases and powr are a multiplication away, as in CUDA's intrinsics.
define float @__falx_native_sin_f32(float %x) alwaysinline {
  %result = call float @llvm.nvvm.sin.approx.f(float %x)
  ret float %result
}
define float @__falx_native_cos_f32(float %x) alwaysinline {
  %result = call float @llvm.nvvm.cos.approx.f(float %x)
  ret float %result
}
define float @__falx_native_exp2_f32(float %x) alwaysinline {
  %result = call float @llvm.nvvm.ex2.approx.f32(float %x)
  ret float %result
}
define float @__falx_native_log2_f32(float %x) alwaysinline {
  %result = call float @llvm.nvvm.lg2.approx.f(float %x)
  ret float %result
}
define float @__falx_native_recip_f32(float %x) alwaysinline {
  %result = call float @llvm.nvvm.rcp.approx.ftz.f(float %x)
  ret float %result
}
define float @__falx_native_rsqrt_f32(float %x) alwaysinline {
  %result = call float @llvm.nvvm.rsqrt.approx.f(float %x)
  ret float %result
}
define float @__falx_native_sqrt_f32(float %x) alwaysinline {
  %result = call float @llvm.nvvm.sqrt.approx.f(float %x)
  ret float %result
}
define float @__falx_native_divide_f32(float %x, float %y) alwaysinline {
  %result = call float @llvm.nvvm.div.approx.f(float %x, float %y)
  ret float %result
}
define float @__falx_native_tan_f32(float %x) alwaysinline {
  %sine = call float @llvm.nvvm.sin.approx.f(float %x)
  %cosine = call float @llvm.nvvm.cos.approx.f(float %x)
  %result = call float @llvm.nvvm.div.approx.f(float %sine, float %cosine)
  ret float %result
}
define float @__falx_native_exp_f32(float %x) alwaysinline {
  %scaled = fmul float %x, 1.44269502162933349609375 ; log2(e)
  %result = call float @llvm.nvvm.ex2.approx.f32(float %scaled)
  ret float %result
}
define float @__falx_native_exp10_f32(float %x) alwaysinline {
  %scaled = fmul float %x, 3.3219280242919921875 ; log2(10)
  %result = call float @llvm.nvvm.ex2.approx.f32(float %scaled)
  ret float %result
}
define float @__falx_native_log_f32(float %x) alwaysinline {
  %binary = call float @llvm.nvvm.lg2.approx.f(float %x)
  %result = fmul float %binary, 0.693147182464599609375 ; ln(2)
  ret float %result
}
define float @__falx_native_log10_f32(float %x) alwaysinline {
  %binary = call float @llvm.nvvm.lg2.approx.f(float %x)
  %result = fmul float %binary, 0.3010300099849700927734375 ; log10(2)
  ret float %result
}
define float @__falx_native_powr_f32(float %x, float %y) alwaysinline {
  %binary = call float @llvm.nvvm.lg2.approx.f(float %x)
  %scaled = fmul float %y, %binary
  %result = call float @llvm.nvvm.ex2.approx.f32(float %scaled)
  ret float %result
}
