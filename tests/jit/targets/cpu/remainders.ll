; What fmod and remainder return is computed by a quotient where that is exact; vectors and halves are left.
; RUN: falx-opt --passes=falx-remainders,verify %s | FileCheck %s
; RUN: falx-opt --passes=falx-remainders-unfused,verify %s | FileCheck %s --check-prefix=UNFUSED
; UNFUSED-LABEL: @floats(
; UNFUSED: %[[A:.*]] = fpext float %{{.*}} to double
; UNFUSED: %[[B:.*]] = fpext float %{{.*}} to double
; UNFUSED: %[[Q:.*]] = call double @llvm.trunc.f64
; UNFUSED: fcmp olt double %[[Q]], 0x4150000000000000
; UNFUSED: %[[PRODUCT:.*]] = fmul double %[[Q]], %[[B]]
; UNFUSED: fsub double %[[A]], %[[PRODUCT]]
; UNFUSED: fptrunc double
; UNFUSED: call float @llvm.copysign.f32
; UNFUSED-LABEL: @doubles(
; UNFUSED-NEXT: frem double

; CHECK-LABEL: @floats(
; CHECK-NEXT: %[[A:.*]] = call float @llvm.fabs.f32(float %x)
; CHECK-NEXT: %[[B:.*]] = call float @llvm.fabs.f32(float %y)
; CHECK-NEXT: %[[WHOLE:.*]] = fdiv float %[[A]], %[[B]]
; CHECK-NEXT: %[[Q:.*]] = call float @llvm.trunc.f32(float %[[WHOLE]])
; CHECK-NEXT: %[[FEW:.*]] = fcmp olt float %[[Q]], 0x4150000000000000
; CHECK-NEXT: %[[FINITE:.*]] = fcmp olt float %[[B]], 0x7FF0000000000000
; CHECK-NEXT: %[[BOTH:.*]] = and i1 %[[FEW]], %[[FINITE]]
; CHECK-NEXT: %[[EXACT:.*]] = freeze i1 %[[BOTH]]
; CHECK-NEXT: br i1 %[[EXACT]], label %[[QUOTIENT:.*]], label %[[RARE:.*]], !prof
; CHECK: [[QUOTIENT]]:
; CHECK-NEXT: %[[MINUS:.*]] = fneg float %[[Q]]
; CHECK-NEXT: %[[REST:.*]] = call float @llvm.fma.f32(float %[[MINUS]], float %[[B]], float %[[A]])
; CHECK-NEXT: %[[BELOW:.*]] = fcmp olt float %[[REST]], 0.000000e+00
; CHECK-NEXT: %[[MORE:.*]] = fadd float %[[REST]], %[[B]]
; CHECK-NEXT: %[[SIZE:.*]] = select i1 %[[BELOW]], float %[[MORE]], float %[[REST]]
; CHECK-NEXT: %[[RESULT:.*]] = call float @llvm.copysign.f32(float %[[SIZE]], float %x)
; CHECK-NEXT: br label %[[BEHIND:.*]]
; CHECK: [[RARE]]:
; CHECK-NEXT: %[[CALLED:.*]] = call float @fmodf(float %x, float %y) #[[RARELY:[0-9]+]]
; CHECK-NEXT: br label %[[BEHIND]]
; CHECK: [[BEHIND]]:
; CHECK-NEXT: %r = phi float [ %[[RESULT]], %[[QUOTIENT]] ], [ %[[CALLED]], %[[RARE]] ]
; CHECK-NEXT: ret float %r
define float @floats(float %x, float %y) {
  %r = frem float %x, %y
  ret float %r
}

; CHECK-LABEL: @doubles(
; CHECK: fcmp olt double %{{.*}}, 0x4320000000000000
; CHECK: call double @llvm.fma.f64
; CHECK: call double @fmod(double %x, double 7.000000e+00) #[[RARELY]]
define double @doubles(double %x) {
  %r = frem double %x, 7.0
  ret double %r
}

; To the nearest integer.
; CHECK-LABEL: @nearest(
; CHECK: %[[Q:.*]] = call float @llvm.roundeven.f32
; CHECK: %[[REST:.*]] = call float @llvm.fma.f32
; CHECK-NEXT: %[[TWICE:.*]] = fadd float %[[REST]], %[[REST]]
; CHECK-NEXT: %[[ABOVE:.*]] = fcmp ogt float %[[TWICE]], %[[B:.*]]
; CHECK-NEXT: %[[MINUS_B:.*]] = fneg float %[[B]]
; CHECK-NEXT: %[[BELOW:.*]] = fcmp olt float %[[TWICE]], %[[MINUS_B]]
; CHECK-NEXT: %[[LESS:.*]] = fsub float %[[REST]], %[[B]]
; CHECK-NEXT: %[[MORE:.*]] = fadd float %[[REST]], %[[B]]
; CHECK-NEXT: %[[ONE:.*]] = select i1 %[[ABOVE]], float %[[LESS]], float %[[REST]]
; CHECK-NEXT: %[[OTHER:.*]] = select i1 %[[BELOW]], float %[[MORE]], float %[[ONE]]
; CHECK-NEXT: %[[SIGN:.*]] = call float @llvm.copysign.f32(float 1.000000e+00, float %x)
; CHECK-NEXT: fmul float %[[OTHER]], %[[SIGN]]
; CHECK: call float @remainderf(float %x, float %y) #[[RARELY]]
declare float @remainderf(float, float) memory(none)
define float @nearest(float %x, float %y) {
  %r = call float @remainderf(float %x, float %y)
  ret float %r
}

; CHECK-LABEL: @called(
; CHECK: @llvm.trunc.f64
; CHECK: call double @fmod(double %x, double %y) #[[RARELY]]
declare double @fmod(double, double) memory(none)
define double @called(double %x, double %y) {
  %r = call double @fmod(double %x, double %y)
  ret double %r
}

; CHECK-LABEL: @others(
; CHECK-NEXT: frem half
; CHECK-NEXT: frem <4 x float>
; CHECK-NEXT: ret
define <4 x float> @others(half %h, <4 x float> %v) {
  %g = frem half %h, 3.0
  %w = frem <4 x float> %v, %v
  ret <4 x float> %w
}

; CHECK: attributes #[[RARELY]] = { cold nobuiltin nounwind willreturn memory(inaccessiblemem: readwrite) }
