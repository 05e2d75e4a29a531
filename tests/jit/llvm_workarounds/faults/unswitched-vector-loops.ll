; LLVM by itself, no code of Falx. If this fails, LLVM no longer has the fault, and the part of jit/pipeline/instrumentation.cpp about
; SimpleLoopUnswitch may go.
;
; A loop that is marked as made of vectors is copied for each direction of an invariant branch, as if it were scalar code, in
; which the branch would take time.
; RUN: opt -passes='loop-mssa(simple-loop-unswitch<nontrivial>)' -S %s | FileCheck %s

; CHECK-LABEL: define void @f(
; CHECK: br i1 %which, label %entry.split.us, label %entry.split
; CHECK: loop.us:
; CHECK: loop:
define void @f(ptr %data, i1 %which) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %at = getelementptr i32, ptr %data, i64 %i
  br i1 %which, label %then, label %latch
then:
  store <4 x i32> splat (i32 1), ptr %at
  br label %latch
latch:
  %next = add nuw nsw i64 %i, 4
  %done = icmp eq i64 %next, 1000
  br i1 %done, label %end, label %loop, !llvm.loop !0
end:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.isvectorized", i32 1}
