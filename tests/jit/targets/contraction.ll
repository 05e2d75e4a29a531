; Products and sums that may be contracted are fused where instruction selection would do so, and nothing may be afterwards.
; RUN: falx-opt -mtriple=x86_64-linux-gnu --passes='falx-fuse-contracted,verify' -S %s | FileCheck %s

; CHECK-LABEL: @sums(
; CHECK-NEXT: %s = call float @llvm.fmuladd.f32(float %a, float %b, float %c)
; CHECK-NEXT: %d = fneg float %c
; CHECK-NEXT: %t = call float @llvm.fmuladd.f32(float %a, float %s, float %d)
; CHECK-NEXT: [[MINUS:%.*]] = fneg float %b
; CHECK-NEXT: %u = call float @llvm.fmuladd.f32(float [[MINUS]], float %t, float %c)
; CHECK-NEXT: ret float %u
define float @sums(float %a, float %b, float %c) {
  %p = fmul contract float %a, %b
  %s = fadd contract float %p, %c
  %q = fmul contract float %a, %s
  %d = fneg contract float %c
  %t = fadd contract float %d, %q
  %r = fmul contract float %b, %t
  %u = fsub contract float %c, %r
  ret float %u
}

; CHECK-LABEL: @difference(
; CHECK: [[MINUS:%.*]] = fneg double %c
; CHECK-NEXT: %s = call nnan double @llvm.fmuladd.f64(double %a, double %b, double [[MINUS]])
define double @difference(double %a, double %b, double %c) {
  %p = fmul nnan ninf contract double %a, %b
  %s = fsub nnan contract double %p, %c
  ret double %s
}

; Of two products the first; both are the same one.
; CHECK-LABEL: @products(
; CHECK-NEXT: %q = fmul <4 x float> %c, %c
; CHECK-NEXT: %s = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %a, <4 x float> %b, <4 x float> %q)
; CHECK-NEXT: %r = fmul <4 x float> %s, %s
; CHECK-NEXT: %t = fadd <4 x float> %r, %r
define <4 x float> @products(<4 x float> %a, <4 x float> %b, <4 x float> %c) {
  %p = fmul contract <4 x float> %a, %b
  %q = fmul contract <4 x float> %c, %c
  %s = fadd contract <4 x float> %p, %q
  %r = fmul contract <4 x float> %s, %s
  %t = fadd contract <4 x float> %r, %r
  ret <4 x float> %t
}

; A product that is needed, one of another block, one that may not be, and sums that may be reordered.
; CHECK-LABEL: @not_fused(
; CHECK-NEXT: %p = fmul float
; CHECK-NEXT: %s = fadd float %p, %c
; CHECK-NEXT: store float %p
; CHECK-NEXT: %q = fmul float
; CHECK-NEXT: br label
; CHECK: %t = fadd float %q, %c
; CHECK-NEXT: %r = fmul float %t, %t
; CHECK-NEXT: %u = fadd float %r, %c
; CHECK-NEXT: %v = fmul reassoc contract float %u, %u
; CHECK-NEXT: %w = fadd reassoc contract float %v, %c
define float @not_fused(float %a, float %b, float %c, ptr %to) {
  %p = fmul contract float %a, %b
  %s = fadd contract float %p, %c
  store float %p, ptr %to
  %q = fmul contract float %s, %s
  br label %next
next:
  %t = fadd contract float %q, %c
  %r = fmul float %t, %t
  %u = fadd contract float %r, %c
  %v = fmul reassoc contract float %u, %u
  %w = fadd reassoc contract float %v, %c
  ret float %w
}
