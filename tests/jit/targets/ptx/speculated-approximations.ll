; Approximate instructions may be computed ahead of a branch, which LLVM does not declare of them
; (tests/jit/llvm_workarounds/faults/approximate-instructions.ll).
; RUN: falx-opt -mtriple=nvptx64-nvidia-cuda -mcpu=sm_90 --passes=falx-ptx-math -S %s | FileCheck %s

; CHECK: declare float @llvm.nvvm.lg2.approx.f(float) #[[ATTRIBUTES:[0-9]+]]
; CHECK: attributes #[[ATTRIBUTES]] = {{.*}} speculatable {{.*}}
declare float @llvm.log2.f32(float)

define float @kernel(ptr %f, float %x) "falx-kind"="1" "falx-dimensions"="1" "falx-sm"="90" {
  %y = call afn float @llvm.log2.f32(float %x)
  ret float %y
}
