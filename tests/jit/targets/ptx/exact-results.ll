; Kernels whose numbers may depend on what LLVM knows have no code that takes the place of other code.
; RUN: split-file %s %t
; RUN: falx-opt --passes=falx-check-exact-results -S %t/exact.ll | FileCheck %t/exact.ll
; RUN: not falx-opt --passes=falx-check-exact-results -S %t/contracted.ll 2>&1 | FileCheck --check-prefix=DEPENDS %s
; RUN: not falx-opt --passes=falx-check-exact-results -S %t/approximated.ll 2>&1 | FileCheck --check-prefix=DEPENDS %s
; RUN: not falx-opt --passes=falx-check-exact-results -S %t/called.ll 2>&1 | FileCheck --check-prefix=DEPENDS %s

; DEPENDS: What kernel 'kernel' computes may depend on what is known of it.

;--- exact.ll
; One rounding each; nnan and ninf say what numbers there are.
; CHECK: define void @kernel
define void @kernel(ptr %f, float %x, i32 %n) "falx-kind"="1" "falx-name"="kernel" {
  %number = sitofp i32 %n to float
  %product = call float @llvm.fmuladd.f32(float %x, float %number, float 1.0)
  %root = call float @llvm.sqrt.f32(float %product)
  %quotient = fdiv nnan ninf float %root, %number
  %whole = call float @llvm.floor.f32(float %quotient)
  store float %whole, ptr %f
  ret void
}

;--- contracted.ll
define void @kernel(ptr %f, float %x, float %y) "falx-kind"="1" "falx-name"="kernel" {
  %product = fmul contract float %x, %y
  %sum = fadd contract float %product, %x
  store float %sum, ptr %f
  ret void
}

;--- approximated.ll
define void @kernel(ptr %f, float %x) "falx-kind"="1" "falx-name"="kernel" {
  %sine = call float @llvm.sin.f32(float %x)
  store float %sine, ptr %f
  ret void
}

;--- called.ll
define void @kernel(ptr %f, float %x) "falx-kind"="1" "falx-name"="kernel" {
  %y = call float @function(float %x)
  store float %y, ptr %f
  ret void
}

define float @function(float %x) noinline {
  %y = call float @llvm.exp2.f32(float %x)
  ret float %y
}
