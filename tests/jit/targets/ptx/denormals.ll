; Kernels that take denormal floats for 0 do so in all their functions, with approximate instructions, too; those of
; double, and other kernels, keep them.
; RUN: split-file %s %t
; RUN: falx-opt -mtriple=nvptx64-nvidia-cuda -mcpu=sm_90 --passes=falx-ptx-denormals -S %t/flushing.ll | FileCheck %s --implicit-check-not=denormal-
; RUN: falx-opt -mtriple=nvptx64-nvidia-cuda -mcpu=sm_90 --passes=falx-ptx-denormals -S %t/keeping.ll | FileCheck %s --check-prefix=KEPT --implicit-check-not=denormal- --implicit-check-not=.ftz
; RUN: falx-opt -mtriple=nvptx64-nvidia-cuda -mcpu=sm_90 --passes=falx-ptx-math,falx-ptx-denormals -S %t/speculated.ll | FileCheck %s --check-prefix=SPECULATED

;--- flushing.ll
; CHECK: define float @library(float %x) [[IN_OTHERS:#[0-9]+]] {
; CHECK-NEXT: %1 = call float @llvm.nvvm.ex2.approx.ftz.f32(float %x)
define float @library(float %x) {
  %1 = call float @llvm.nvvm.ex2.approx.f32(float %x)
  ret float %1
}
; CHECK: define float @kernel(ptr %f, float %x, double %d) [[IN_KERNEL:#[0-9]+]] {
; CHECK-NEXT: %1 = call float @library(float %x)
; CHECK-NEXT: %2 = call float @llvm.nvvm.div.approx.ftz.f(float %1, float %x)
; CHECK-NEXT: %3 = call float @llvm.nvvm.sqrt.approx.ftz.f(float %2)
; CHECK-NEXT: %4 = call float @llvm.nvvm.rsqrt.approx.ftz.f(float %3)
; CHECK-NEXT: %5 = call float @llvm.nvvm.lg2.approx.ftz.f(float %4)
; CHECK-NEXT: %6 = call float @llvm.nvvm.sin.approx.ftz.f(float %5)
; CHECK-NEXT: %7 = call float @llvm.nvvm.cos.approx.ftz.f(float %6)
; CHECK-NEXT: %8 = call double @llvm.nvvm.rsqrt.approx.d(double %d)
; CHECK: attributes [[IN_OTHERS]] = { "denormal-fp-math-f32"="preserve-sign,preserve-sign" }
; CHECK: attributes [[IN_KERNEL]] = { "denormal-fp-math-f32"="preserve-sign,preserve-sign" "falx-dimensions"="1"
declare float @llvm.nvvm.ex2.approx.f32(float)
declare float @llvm.nvvm.div.approx.f(float, float)
declare float @llvm.nvvm.sqrt.approx.f(float)
declare float @llvm.nvvm.rsqrt.approx.f(float)
declare float @llvm.nvvm.lg2.approx.f(float)
declare float @llvm.nvvm.sin.approx.f(float)
declare float @llvm.nvvm.cos.approx.f(float)
declare double @llvm.nvvm.rsqrt.approx.d(double)
define float @kernel(ptr %f, float %x, double %d) "falx-kind"="1" "falx-dimensions"="1" "falx-flushes-denormals" {
  %1 = call float @library(float %x)
  %2 = call float @llvm.nvvm.div.approx.f(float %1, float %x)
  %3 = call float @llvm.nvvm.sqrt.approx.f(float %2)
  %4 = call float @llvm.nvvm.rsqrt.approx.f(float %3)
  %5 = call float @llvm.nvvm.lg2.approx.f(float %4)
  %6 = call float @llvm.nvvm.sin.approx.f(float %5)
  %7 = call float @llvm.nvvm.cos.approx.f(float %6)
  %8 = call double @llvm.nvvm.rsqrt.approx.d(double %d)
  %9 = fptrunc double %8 to float
  %10 = fadd float %7, %9
  ret float %10
}

;--- keeping.ll
; KEPT: call float @llvm.nvvm.sqrt.approx.f(float %x)
declare float @llvm.nvvm.sqrt.approx.f(float)
define float @kernel(ptr %f, float %x) "falx-kind"="1" "falx-dimensions"="1" {
  %1 = call float @llvm.nvvm.sqrt.approx.f(float %x)
  ret float %1
}

;--- speculated.ll
; SPECULATED: declare float @llvm.nvvm.lg2.approx.ftz.f(float) [[APPROXIMATE:#[0-9]+]]
; SPECULATED: attributes [[APPROXIMATE]] = {{.*}} speculatable
declare float @llvm.log2.f32(float)
define float @kernel(ptr %f, float %x) "falx-kind"="1" "falx-dimensions"="1" "falx-sm"="90" "falx-flushes-denormals" {
  %1 = call afn float @llvm.log2.f32(float %x)
  ret float %1
}
