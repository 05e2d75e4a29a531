; Where each work-item goes through a row of its own, LLVM makes vectors along it if they run one after the other, and not of the
; work-items: so rows of neighbours (ROW) and sums of integers (SUM) are done, and sums of numbers, whose order is the
; program's, elements that lie anywhere, and rows whose elements depend on the one before stay vectors of work-items.
; RUN: split-file %s %t
; RUN: cat %t/head.ll %t/row.ll > %t/1.ll
; RUN: cat %t/head.ll %t/sum.ll > %t/2.ll
; RUN: cat %t/head.ll %t/float.ll > %t/3.ll
; RUN: cat %t/head.ll %t/anywhere.ll > %t/4.ll
; RUN: cat %t/head.ll %t/before.ll > %t/5.ll
; RUN: falx-opt -mtriple=x86_64-linux-gnu -mcpu=znver4 '--passes=falx-lower-builtins,falx-unroll-row-loops' %t/1.ll -S | FileCheck %s --check-prefix=SIXTEEN
; RUN: falx-opt -mtriple=x86_64-linux-gnu -mcpu=haswell '--passes=falx-lower-builtins,falx-unroll-row-loops' %t/1.ll -S | FileCheck %s --check-prefix=EIGHT
; RUN: falx-opt -mtriple=x86_64-linux-gnu -mcpu=znver4 '--passes=falx-lower-builtins,falx-unroll-row-loops' %t/2.ll -S | FileCheck %s --check-prefix=SIXTEEN
; RUN: falx-opt -mtriple=x86_64-linux-gnu -mcpu=znver4 '--passes=falx-lower-builtins,falx-unroll-row-loops' %t/3.ll -S | FileCheck %s --check-prefix=NONE
; RUN: falx-opt -mtriple=x86_64-linux-gnu -mcpu=znver4 '--passes=falx-lower-builtins,falx-unroll-row-loops' %t/4.ll -S | FileCheck %s --check-prefix=NONE
; RUN: falx-opt -mtriple=x86_64-linux-gnu -mcpu=znver4 '--passes=falx-lower-builtins,falx-unroll-row-loops' %t/5.ll -S | FileCheck %s --check-prefix=NONE
; SIXTEEN: !{!"falx.loop.row_elements", i32 16}
; EIGHT: !{!"falx.loop.row_elements", i32 8}
; NONE-NOT: falx.loop.row_elements
;
; LLVM leaves the loop over work-items alone where one after the other is chosen.
; RUN: sed 's/"falx-sub-group-size"="16"//' %t/2.ll > %t/6.ll
; RUN: falx-opt -mtriple=x86_64-linux-gnu -mcpu=znver4 '--passes=falx-form-kernel<lanes=16;must-pay>' %t/6.ll -S | FileCheck %s --check-prefix=CHOSEN
; RUN: falx-opt -mtriple=x86_64-linux-gnu -mcpu=znver4 '--passes=falx-form-kernel<lanes=1>' %t/6.ll -S | FileCheck %s --check-prefix=NOT-CHOSEN
; CHOSEN-NOT: parallel_accesses
; CHOSEN: !{!"llvm.loop.vectorize.enable", i1 false}
; NOT-CHOSEN-NOT: vectorize.enable
; NOT-CHOSEN: !"llvm.loop.parallel_accesses"

;--- head.ll
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__falx_global_id_x()

;--- row.ll
define void @kernel(ptr %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="16" {
entry:
  %id = call i64 @__falx_global_id_x()
  %data = load ptr, ptr %f, !invariant.load !0
  %other.at = getelementptr i8, ptr %f, i64 8
  %other = load ptr, ptr %other.at, !invariant.load !0
  %begin = mul nsw i64 %id, 4000
  %row = getelementptr i8, ptr %data, i64 %begin
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr float, ptr %row, i64 %k
  %x = load float, ptr %at
  %factor.at = getelementptr float, ptr %other, i64 %k
  %factor = load float, ptr %factor.at
  %product = fmul float %x, %factor
  store float %product, ptr %at
  %next = add nuw nsw i64 %k, 1
  %goes.on = icmp ne i64 %next, 1000
  br i1 %goes.on, label %loop, label %end
end:
  ret void
}
!0 = !{}

;--- sum.ll
define void @kernel(ptr %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="16" {
entry:
  %data = load ptr, ptr %f, !invariant.load !0
  %id = call i64 @__falx_global_id_x()
  %begin = mul nsw i64 %id, 4000
  %row = getelementptr i8, ptr %data, i64 %begin
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %more, %loop ]
  %at = getelementptr i32, ptr %row, i64 %k
  %x = load i32, ptr %at
  %more = add i32 %sum, %x
  %next = add nuw nsw i64 %k, 1
  %goes.on = icmp ne i64 %next, 1000
  br i1 %goes.on, label %loop, label %end
end:
  store i32 %more, ptr %row
  ret void
}
!0 = !{}

;--- float.ll
define void @kernel(ptr %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="16" {
entry:
  %id = call i64 @__falx_global_id_x()
  %data = load ptr, ptr %f, !invariant.load !0
  %begin = mul nsw i64 %id, 4000
  %row = getelementptr i8, ptr %data, i64 %begin
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %at = getelementptr float, ptr %row, i64 %k
  %x = load float, ptr %at
  %more = fadd float %sum, %x
  %next = add nuw nsw i64 %k, 1
  %goes.on = icmp ne i64 %next, 1000
  br i1 %goes.on, label %loop, label %end
end:
  store float %more, ptr %row
  ret void
}
!0 = !{}

;--- anywhere.ll
define void @kernel(ptr %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="16" {
entry:
  %id = call i64 @__falx_global_id_x()
  %data = load ptr, ptr %f, !invariant.load !0
  %other.at = getelementptr i8, ptr %f, i64 8
  %other = load ptr, ptr %other.at, !invariant.load !0
  %begin = mul nsw i64 %id, 4000
  %row = getelementptr i8, ptr %data, i64 %begin
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %more, %loop ]
  %at = getelementptr i32, ptr %row, i64 %k
  %column = load i32, ptr %at
  %wide = sext i32 %column to i64
  %x.at = getelementptr i32, ptr %other, i64 %wide
  %x = load i32, ptr %x.at
  %more = add i32 %sum, %x
  %next = add nuw nsw i64 %k, 1
  %goes.on = icmp ne i64 %next, 1000
  br i1 %goes.on, label %loop, label %end
end:
  store i32 %more, ptr %row
  ret void
}
!0 = !{}

;--- before.ll
define void @kernel(ptr %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="16" {
entry:
  %id = call i64 @__falx_global_id_x()
  %data = load ptr, ptr %f, !invariant.load !0
  %begin = mul nsw i64 %id, 4000
  %row = getelementptr i8, ptr %data, i64 %begin
  br label %loop
loop:
  %k = phi i64 [ 1, %entry ], [ %next, %loop ]
  %at = getelementptr i32, ptr %row, i64 %k
  %before.at = getelementptr i8, ptr %at, i64 -4
  %before = load i32, ptr %before.at
  %x = load i32, ptr %at
  %sum = add i32 %before, %x
  store i32 %sum, ptr %at
  %next = add nuw nsw i64 %k, 1
  %goes.on = icmp ne i64 %next, 1000
  br i1 %goes.on, label %loop, label %end
end:
  ret void
}
!0 = !{}
