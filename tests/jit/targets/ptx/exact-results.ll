; Kernels whose numbers may depend on what LLVM knows have no code that takes the place of other code.
; RUN: split-file %s %t
; RUN: falx-opt --passes=falx-check-exact-results -S %t/exact.ll | FileCheck %t/exact.ll
; RUN: not falx-opt --passes=falx-check-exact-results -S %t/contracted.ll 2>&1 | FileCheck --check-prefix=DEPENDS %s
; RUN: not falx-opt --passes=falx-check-exact-results -S %t/approximated.ll 2>&1 | FileCheck --check-prefix=DEPENDS %s
; RUN: not falx-opt --passes=falx-check-exact-results -S %t/product.ll 2>&1 | FileCheck --check-prefix=DEPENDS %s
; RUN: not falx-opt --passes=falx-check-exact-results -S %t/sums.ll 2>&1 | FileCheck --check-prefix=DEPENDS %s
; RUN: not falx-opt --passes=falx-check-exact-results -S %t/squares.ll 2>&1 | FileCheck --check-prefix=DEPENDS %s
; RUN: not falx-opt --passes=falx-check-exact-results -S %t/chain.ll 2>&1 | FileCheck --check-prefix=DEPENDS %s
; RUN: not falx-opt --passes=falx-check-exact-results -S %t/flushed.ll 2>&1 | FileCheck --check-prefix=DEPENDS %s
; RUN: not falx-opt --passes=falx-check-exact-results -S %t/called.ll 2>&1 | FileCheck --check-prefix=DEPENDS %s

; DEPENDS: What kernel 'kernel' computes may depend on what is known of it.

;--- exact.ll
; One rounding each; nnan and ninf say what numbers there are. Of a product and a sum one factor is from memory, or
; follows from what is.
; CHECK: define void @kernel
define void @kernel(ptr %f, i32 %n) "falx-kind"="1" "falx-name"="kernel" {
entry:
  %number = sitofp i32 %n to float
  br label %loop
loop:
  %sum = phi float [ 0.0, %entry ], [ %next, %loop ]
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %at = getelementptr float, ptr %f, i32 %i
  %x = load float, ptr %at
  %moved = fadd float %x, %number
  %next = call float @llvm.fmuladd.f32(float %sum, float %moved, float %number)
  %i.next = add i32 %i, 1
  %again = icmp slt i32 %i.next, %n
  br i1 %again, label %loop, label %end
end:
  %root = call float @llvm.sqrt.f32(float %next)
  %quotient = fdiv nnan ninf float %root, %number
  %whole = call float @llvm.floor.f32(float %quotient)
  store float %whole, ptr %f
  ret void
}

;--- product.ll
; LLVM would round it, if it knew n.
define void @kernel(ptr %f, float %x, i32 %n) "falx-kind"="1" "falx-name"="kernel" {
  %number = sitofp i32 %n to float
  %scaled = call float @llvm.fmuladd.f32(float %number, float 0x3FB99999A0000000, float %x)
  store float %scaled, ptr %f
  ret void
}

;--- sums.ll
; So in loops: what is added up may be known.
define void @kernel(ptr %f, i32 %n) "falx-kind"="1" "falx-name"="kernel" {
entry:
  br label %loop
loop:
  %power = phi float [ 1.0, %entry ], [ %less, %loop ]
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %less = fmul float %power, 0x3FE6666660000000
  %at = getelementptr float, ptr %f, i32 %i
  %x = load float, ptr %at
  %y = call float @llvm.fmuladd.f32(float %power, float 0x3FB99999A0000000, float %x)
  store float %y, ptr %at
  %i.next = add i32 %i, 1
  %again = icmp slt i32 %i.next, %n
  br i1 %again, label %loop, label %end
end:
  ret void
}

;--- squares.ll
; Found twice, a number is no less known.
define void @kernel(ptr %f, float %x, i32 %n) "falx-kind"="1" "falx-name"="kernel" {
  %number = sitofp i32 %n to float
  %square = fmul float %number, %number
  %y = call float @llvm.fmuladd.f32(float %square, float %square, float %x)
  store float %y, ptr %f
  ret void
}

;--- chain.ll
; The loop's other end comes first.
define void @kernel(ptr %f, i32 %n) "falx-kind"="1" "falx-name"="kernel" {
entry:
  br label %loop
loop:
  %power = phi float [ %less, %loop ], [ 1.0, %entry ]
  %i = phi i32 [ %i.next, %loop ], [ 0, %entry ]
  %less = fmul float %power, 0x3FE6666660000000
  %at = getelementptr float, ptr %f, i32 %i
  %x = load float, ptr %at
  %y = call float @llvm.fmuladd.f32(float %less, float %power, float %x)
  store float %y, ptr %at
  %i.next = add i32 %i, 1
  %again = icmp slt i32 %i.next, %n
  br i1 %again, label %loop, label %end
end:
  ret void
}

;--- flushed.ll
define void @kernel(ptr %f) "falx-kind"="1" "falx-name"="kernel" "falx-flushes-denormals" {
  store float 1.0, ptr %f
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
