; A loop that may be left before it stores: it is tested once whether it is entered, and then what it reads and writes in
; one place stays in a register.
; RUN: falx-opt '--passes=falx-restricted-pointers<disjoint=0;disjoint=8>,falx-hoist-loop-accesses' %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define void @kernel(ptr dereferenceable(64) %f, i64 %i, i64 %n) "falx-kind"="1" {
; CHECK-LABEL:   @kernel
; CHECK:         br i1 %{{.*}}, label %[[ENTER:.*]], label %end
; CHECK:         [[ENTER]]:
; CHECK:         load float, ptr %sum
; CHECK:         body:
; CHECK-NOT:     ptr %sum
; CHECK:         load float, ptr %at
; CHECK-NOT:     ptr %sum
; CHECK:         br i1
; CHECK:         store float %{{.*}}, ptr %sum
entry:
  %in = load ptr, ptr %f
  %a8 = getelementptr i8, ptr %f, i64 8
  %out = load ptr, ptr %a8
  %sum = getelementptr float, ptr %out, i64 %i
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %k.next, %body ]
  %more = icmp ult i64 %k, %n
  br i1 %more, label %body, label %end
body:
  %at = getelementptr float, ptr %in, i64 %k
  %v = load float, ptr %at
  %old = load float, ptr %sum
  %next = fadd float %old, %v
  store float %next, ptr %sum
  %k.next = add nuw i64 %k, 1
  br label %loop
end:
  ret void
}
