; LLVM by itself, no code of Falx. If this fails, LLVM no longer has the fault, and allow_speculation of
; jit/targets/ptx/math_functions.cpp may go.
;
; NVPTX's approximate instructions have no effects and cannot fail, as intrinsics of every target, and yet may
; not be computed ahead of a branch: what is the same in all iterations stays in the loop.
; RUN: opt -passes='loop-mssa(licm)' -S %s | FileCheck %s

; CHECK-LABEL: define void @f(
; CHECK: entry:
; CHECK-NEXT: %every = call float @llvm.exp2.f32(float %x)
; CHECK-NEXT: br label %loop
; CHECK: then:
; CHECK-NEXT: %approximate = call float @llvm.nvvm.lg2.approx.f(float %x)
define void @f(ptr %data, float %x, i64 %from) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %is_behind = icmp ugt i64 %i, %from
  br i1 %is_behind, label %then, label %latch
then:
  %every = call float @llvm.exp2.f32(float %x)
  %approximate = call float @llvm.nvvm.lg2.approx.f(float %x)
  %sum = fadd float %every, %approximate
  %at = getelementptr float, ptr %data, i64 %i
  store float %sum, ptr %at
  br label %latch
latch:
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, 1000
  br i1 %done, label %end, label %loop
end:
  ret void
}
