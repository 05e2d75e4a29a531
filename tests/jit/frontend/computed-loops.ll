; Loops that nobody sees run become what they compute.
; RUN: falx-opt --passes=falx-computed-loops %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define void @kernel(ptr %f, i32 %x, i32 %n, i64 %bits, i32 %word, float %y, ptr %to) "falx-kind"="1" {
; CHECK-LABEL: @kernel
entry:
  br label %sums
; A number of iterations that is known.
; CHECK:       entry:
; CHECK:       mul i32 %x, 100
; CHECK-NOT:   phi
; CHECK:       store i32
sums:
  %k = phi i32 [ 0, %entry ], [ %k.next, %sums ]
  %sum = phi i32 [ %n, %entry ], [ %sum.next, %sums ]
  %sum.next = add i32 %sum, %x
  %k.next = add nuw nsw i32 %k, 1
  %more = icmp ult i32 %k.next, 100
  br i1 %more, label %sums, label %store.sum
store.sum:
  %sum.end = phi i32 [ %sum.next, %sums ]
  store i32 %sum.end, ptr %to
  br label %test
; for (count = 0; x; ++count) x &= x - 1, which tests first.
; CHECK-NOT:   phi
; CHECK:       call i64 @llvm.ctpop.i64(i64 %bits)
; CHECK-NOT:   phi i64
; CHECK:       store i8
test:
  %b = phi i64 [ %bits, %store.sum ], [ %rest, %clear ]
  %count = phi i8 [ 0, %store.sum ], [ %count.next, %clear ]
  %none = icmp eq i64 %b, 0
  br i1 %none, label %store.count, label %clear
clear:
  %less = add i64 %b, -1
  %rest = and i64 %b, %less
  %count.next = add i8 %count, 1
  br label %test
store.count:
  %count.end = phi i8 [ %count, %test ]
  store i8 %count.end, ptr %to
  br label %shift
; while (x >>= 1) ++n
; CHECK:       call i32 @llvm.ctlz.i32
; CHECK-NOT:   lshr {{.*}}%w,
; CHECK:       store i32
shift:
  %w = phi i32 [ %word, %store.count ], [ %w.next, %shift.on ]
  %log = phi i32 [ 0, %store.count ], [ %log.next, %shift.on ]
  %w.next = lshr i32 %w, 1
  %is.zero = icmp eq i32 %w.next, 0
  br i1 %is.zero, label %store.log, label %shift.on
shift.on:
  %log.next = add i32 %log, 1
  br label %shift
store.log:
  %log.end = phi i32 [ %log, %shift ]
  store i32 %log.end, ptr %to
  br label %floats
; The order of additions of floats is the program's.
; CHECK:       floats:
; CHECK:       fadd float
; CHECK:       br i1
floats:
  %i = phi i32 [ 0, %store.log ], [ %i.next, %floats ]
  %s = phi float [ 0.0, %store.log ], [ %s.next, %floats ]
  %s.next = fadd float %s, %y
  %i.next = add nuw nsw i32 %i, 1
  %on = icmp ult i32 %i.next, 100
  br i1 %on, label %floats, label %stores.before
stores.before:
  %s.end = phi float [ %s.next, %floats ]
  store float %s.end, ptr %to
  br label %stores
; What each iteration does is to be seen.
; CHECK:       stores:
; CHECK:       store volatile
; CHECK:       br i1
stores:
  %j = phi i32 [ 0, %stores.before ], [ %j.next, %stores ]
  store volatile i32 %j, ptr %to
  %j.next = add nuw nsw i32 %j, 1
  %again = icmp ult i32 %j.next, 100
  br i1 %again, label %stores, label %end
end:
  ret void
}
