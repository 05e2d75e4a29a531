; Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; What cpu_builtins.c cannot say. SYCL 2020 §4.17.5: the error of rsqrt in units in the last place.

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
