; Functions of the math library compute both results and select one by branches around nothing. They stay selections:
; nothing of what is selected moves into the branches.
; RUN: falx-opt -mtriple=nvptx64-nvidia-cuda -mcpu=sm_90 --passes=falx-ptx-math,falx-ptx-optimization %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: @kernel(
; CHECK: loop:
; CHECK: fdiv
; CHECK: select i1
; CHECK-NEXT: store float
; CHECK: br i1 %{{.*}}, label %end, label %loop
define ptx_kernel void @kernel(ptr readonly byval([16 x i8]) %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sm"="90" {
entry:
  %flat = load ptr, ptr %f
  %values = addrspacecast ptr %flat to ptr addrspace(1)
  %f8 = getelementptr i8, ptr %f, i64 8
  %count = load i64, ptr %f8
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr float, ptr addrspace(1) %values, i64 %i
  %x = load float, ptr addrspace(1) %at
  %y = call float @function(float %x)
  store float %y, ptr addrspace(1) %at
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %count
  br i1 %done, label %end, label %loop, !llvm.loop !0

end:
  ret void
}

define internal float @function(float %x) alwaysinline {
  %magnitude = call float @llvm.fabs.f32(float %x)
  %power = call float @llvm.nvvm.ex2.approx.f32(float %magnitude)
  %sum = fadd float %power, 1.0
  %far = fdiv float %magnitude, %sum
  %square = fmul float %x, %x
  %a = call float @llvm.fma.f32(float %square, float 2.0, float 3.0)
  %b = call float @llvm.fma.f32(float %square, float %a, float 5.0)
  %near = call float @llvm.fma.f32(float %square, float %b, float 7.0)
  %is_far = fcmp oge float %magnitude, 0.5
  br i1 %is_far, label %when_far, label %when_near

when_far:
  br label %end

when_near:
  br label %end

end:
  %result = phi float [ %far, %when_far ], [ %near, %when_near ]
  ret float %result
}

declare float @llvm.fabs.f32(float)
declare float @llvm.fma.f32(float, float, float)
declare float @llvm.nvvm.ex2.approx.f32(float)

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.disable"}
