; Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; The builtins that need no index space, for CPUs: prefetches, fences, atomic scopes, native functions. They are
; inlined, and work in functions that are not.

define i64 @__falx_cache_line_bytes() alwaysinline {
  ret i64 64
}

; What is not used again has no level; 0 is the only locality that LLVM has for it.
define void @__falx_prefetch(ptr %object, i32 %level, i1 zeroext %nontemporal) alwaysinline {
  br i1 %nontemporal, label %once, label %again
once:
  call void @llvm.prefetch.p0(ptr %object, i32 0, i32 0, i32 1)
  ret void
again:
  switch i32 %level, label %further [
    i32 1, label %first
    i32 2, label %second
  ]
first:
  call void @llvm.prefetch.p0(ptr %object, i32 0, i32 3, i32 1)
  ret void
second:
  call void @llvm.prefetch.p0(ptr %object, i32 0, i32 2, i32 1)
  ret void
further:
  call void @llvm.prefetch.p0(ptr %object, i32 0, i32 1, i32 1)
  ret void
}

; A CPU has one scope: memory that two threads share is the whole system's. So the widest one stays.
define ptr @__falx_atomic_scope(ptr %object, i32 %scope) alwaysinline {
  ret ptr %object
}

; Orders are numbers of C's memory_order; scope 0 is the work-item's. Both are constants nearly always, once the
; function is inlined.
define void @__falx_fence(i32 %order, i32 %scope) alwaysinline {
  %own = icmp eq i32 %scope, 0
  br i1 %own, label %work_item, label %others
work_item:
  fence syncscope("singlethread") seq_cst
  ret void
others:
  switch i32 %order, label %seq_cst [
    i32 0, label %relaxed
    i32 1, label %acquire ; consume
    i32 2, label %acquire
    i32 3, label %release
    i32 4, label %acq_rel
  ]
relaxed:
  ret void
acquire:
  fence acquire
  ret void
release:
  fence release
  ret void
acq_rel:
  fence acq_rel
  ret void
seq_cst:
  fence seq_cst
  ret void
}

; LLVM makes fma of halves from fma of floats, which rounds twice.
define zeroext i1 @__falx_has_half_fma() alwaysinline {
  ret i1 false
}
; CPUs give out no textures.
define { <2 x float>, <2 x float> } @__falx_texture_color(i64 %texture, float %x, float %y) alwaysinline {
  unreachable
}

define zeroext i1 @__falx_has_async_copies() alwaysinline {
  ret i1 false
}

; It is complete when the next instruction runs.
define void @__falx_async_copy(ptr %local, ptr %global, i32 %bytes) alwaysinline {
  call void @llvm.memcpy.p0.p0.i32(ptr align 4 %local, ptr align 4 %global, i32 %bytes, i1 false)
  ret void
}
define void @__falx_wait_for_async_copies() alwaysinline {
  ret void
}

; SYCL 2020 §4.17.5: the error of rsqrt in units in the last place.
define float @__falx_rsqrt_f32(float %x) alwaysinline {
  %root = call float @llvm.sqrt.f32(float %x)
  %result = fdiv float 1.0, %root, !fpmath !0
  ret float %result
}
!0 = !{float 2.0}
define double @__falx_rsqrt_f64(double %x) alwaysinline {
  %root = call double @llvm.sqrt.f64(double %x)
  %result = fdiv double 1.0, %root
  ret double %result
}

; Division and roots may be estimated, and functions approximated; values keep their meaning otherwise.
define float @__falx_native_cos_f32(float %x) alwaysinline {
  %result = call arcp afn float @llvm.cos.f32(float %x)
  ret float %result
}
define float @__falx_native_exp_f32(float %x) alwaysinline {
  %result = call arcp afn float @llvm.exp.f32(float %x)
  ret float %result
}
define float @__falx_native_exp2_f32(float %x) alwaysinline {
  %result = call arcp afn float @llvm.exp2.f32(float %x)
  ret float %result
}
define float @__falx_native_exp10_f32(float %x) alwaysinline {
  %result = call arcp afn float @llvm.exp10.f32(float %x)
  ret float %result
}
define float @__falx_native_log_f32(float %x) alwaysinline {
  %result = call arcp afn float @llvm.log.f32(float %x)
  ret float %result
}
define float @__falx_native_log2_f32(float %x) alwaysinline {
  %result = call arcp afn float @llvm.log2.f32(float %x)
  ret float %result
}
define float @__falx_native_log10_f32(float %x) alwaysinline {
  %result = call arcp afn float @llvm.log10.f32(float %x)
  ret float %result
}
define float @__falx_native_sin_f32(float %x) alwaysinline {
  %result = call arcp afn float @llvm.sin.f32(float %x)
  ret float %result
}
define float @__falx_native_sqrt_f32(float %x) alwaysinline {
  %result = call arcp afn float @llvm.sqrt.f32(float %x)
  ret float %result
}
define float @__falx_native_tan_f32(float %x) alwaysinline {
  %result = call arcp afn float @llvm.tan.f32(float %x)
  ret float %result
}
define float @__falx_native_powr_f32(float %x, float %y) alwaysinline {
  %result = call arcp afn float @llvm.pow.f32(float %x, float %y)
  ret float %result
}
define float @__falx_native_divide_f32(float %x, float %y) alwaysinline {
  %result = fdiv arcp afn float %x, %y
  ret float %result
}
define float @__falx_native_recip_f32(float %x) alwaysinline {
  %result = fdiv arcp afn float 1.0, %x
  ret float %result
}
define float @__falx_native_rsqrt_f32(float %x) alwaysinline {
  %root = call arcp afn float @llvm.sqrt.f32(float %x)
  %result = fdiv arcp afn float 1.0, %root
  ret float %result
}
