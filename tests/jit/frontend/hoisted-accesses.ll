; Where captured pointers are told apart, what a loop reads and writes in one place stays in a register.
; RUN: falx-opt '--passes=falx-restricted-pointers<disjoint=0;disjoint=8>,falx-hoist-loop-accesses' %s | FileCheck %s
; RUN: falx-opt --passes=falx-hoist-loop-accesses %s | FileCheck %s --check-prefix=UNKNOWN

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define void @kernel(ptr dereferenceable(64) %f, i64 %i, i64 %n) "falx-kind"="1" {
; CHECK-LABEL:   @kernel
; CHECK:         loop:
; CHECK-NOT:     load {{.*}} %sum
; CHECK-NOT:     store
; CHECK:         load float, ptr %at
; CHECK:         end:
; CHECK:         store float %{{.*}}, ptr %sum
; UNKNOWN-LABEL: @kernel
; UNKNOWN:       loop:
; UNKNOWN:       store float %next, ptr %sum
; UNKNOWN:       end:
entry:
  %in = load ptr, ptr %f
  %a8 = getelementptr i8, ptr %f, i64 8
  %out = load ptr, ptr %a8
  %sum = getelementptr float, ptr %out, i64 %i
  store float 0.0, ptr %sum
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %k.next, %loop ]
  %at = getelementptr float, ptr %in, i64 %k
  %v = load float, ptr %at
  %old = load float, ptr %sum
  %next = fadd float %old, %v
  store float %next, ptr %sum
  %k.next = add nuw i64 %k, 1
  %more = icmp ult i64 %k.next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}
