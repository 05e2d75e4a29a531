; A sine and a cosine of the same number are one call of the library's.
;
; RUN: falx-opt -mtriple=nvptx64-nvidia-cuda -mcpu=sm_90 -passes=falx-ptx-math %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

declare float @llvm.sin.f32(float)
declare float @llvm.cos.f32(float)
declare double @sin(double)
declare double @cos(double)
declare <2 x float> @llvm.sin.v2f32(<2 x float>)
declare <2 x float> @llvm.cos.v2f32(<2 x float>)

; CHECK-LABEL: define ptx_kernel void @kernel(
define ptx_kernel void @kernel(ptr readonly byval([16 x i8]) %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sm"="90" {
  ret void
}

; In either order, as an intrinsic or as the function of <math.h>. The place is that of the first.
; CHECK-LABEL: define float @floats(
; CHECK-NEXT: [[S:%.*]] = alloca float
; CHECK-NEXT: [[C:%.*]] = alloca float
; CHECK: call float @_Z6sincosfPf(float %{{.*}}, ptr [[C]])
; CHECK: %between = fadd float %x, 1.0
; CHECK-NOT: call
; CHECK: ret float
define float @floats(float %x) {
  %c = call float @llvm.cos.f32(float %x)
  %between = fadd float %x, 1.0
  %s = call float @llvm.sin.f32(float %x)
  %sum = fadd float %c, %s
  %result = fadd float %sum, %between
  ret float %result
}

; CHECK-LABEL: define double @doubles(
; CHECK: call double @_Z6sincosdPd(
; CHECK-NOT: call
; CHECK: ret double
define double @doubles(double %x) {
  %s = call double @sin(double %x)
  %c = call double @cos(double %x)
  %product = fmul double %s, %c
  ret double %product
}

; Two numbers, or two blocks, one of which may not run.
; CHECK-LABEL: define double @apart(
; CHECK: call double @_Z3sind(
; CHECK: call double @_Z3cosd(
; CHECK: call double @_Z3cosd(
define double @apart(double %x, double %y, i1 %also) {
  %s = call double @sin(double %x)
  %c = call double @cos(double %y)
  %first = fadd double %s, %c
  br i1 %also, label %more, label %end
more:
  %other = call double @cos(double %x)
  %second = fadd double %first, %other
  br label %end
end:
  %result = phi double [ %first, %0 ], [ %second, %more ]
  ret double %result
}

; What may be approximated has instructions.
; CHECK-LABEL: define float @approximations(
; CHECK-NOT: sincos
; CHECK: ret float
define float @approximations(float %x) {
  %s = call afn float @llvm.sin.f32(float %x)
  %c = call afn float @llvm.cos.f32(float %x)
  %sum = fadd float %s, %c
  ret float %sum
}

; Vectors are taken apart.
; CHECK-LABEL: define <2 x float> @vectors(
; CHECK-COUNT-2: call float @_Z3sinf(
; CHECK-COUNT-2: call float @_Z3cosf(
define <2 x float> @vectors(<2 x float> %x) {
  %s = call <2 x float> @llvm.sin.v2f32(<2 x float> %x)
  %c = call <2 x float> @llvm.cos.v2f32(<2 x float> %x)
  %sum = fadd <2 x float> %s, %c
  ret <2 x float> %sum
}
