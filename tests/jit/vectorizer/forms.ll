; Vectors only where they are estimated to pay (cost/form_costs.cpp), if nobody asked for them.
; RUN: split-file %s %t
; RUN: falx-opt -mtriple=x86_64-linux-gnu -mcpu=skylake-avx512 '--passes=falx-form-kernel<lanes=16;must-pay>' %t/rows.ll | FileCheck %s --check-prefix=ALONE
; RUN: falx-opt -mtriple=x86_64-linux-gnu -mcpu=skylake-avx512 '--passes=falx-form-kernel<lanes=16>' %t/rows.ll | FileCheck %s --check-prefix=VECTORS
; RUN: falx-opt -mtriple=x86_64-linux-gnu -mcpu=skylake-avx512 '--passes=falx-form-kernel<lanes=16;must-pay>' %t/asks.ll | FileCheck %s --check-prefix=VECTORS
; RUN: falx-opt -mtriple=x86_64-linux-gnu -mcpu=skylake-avx512 '--passes=falx-form-kernel<lanes=16;must-pay>' %t/columns.ll | FileCheck %s --check-prefix=VECTORS
; RUN: falx-opt -mtriple=x86_64-linux-gnu -mcpu=skylake-avx512 '--passes=falx-form-kernel<lanes=16;must-pay>' %t/squares.ll | FileCheck %s --check-prefix=VECTORS
; RUN: falx-opt -mtriple=x86_64-linux-gnu -mcpu=skylake-avx512 '--passes=falx-form-kernel<lanes=16;must-pay>' %t/skips.ll | FileCheck %s --check-prefix=ALONE
; RUN: falx-opt -mtriple=x86_64-linux-gnu -mcpu=skylake-avx512 '--passes=falx-form-kernel<lanes=16;must-pay>' %t/links.ll | FileCheck %s --check-prefix=VECTORS
; RUN: falx-opt -mtriple=x86_64-linux-gnu -mcpu=haswell '--passes=falx-form-kernel<lanes=8;must-pay>' %t/first.ll | FileCheck %s --check-prefix=ALONE
; ALONE-NOT: x i1>
; ALONE: define internal void @kernel.work_item(
; ALONE-NOT: x i1>
; VECTORS: define internal void @kernel.work_item.lanes(

; Each lane goes through a row of its own: gathers, of lines that nobody fetched before.
;--- rows.ll
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__falx_global_id_x()
define void @kernel(ptr %f) "falx-kind"="1" "falx-dimensions"="1" {
entry:
  %starts = load ptr, ptr %f
  %values.at = getelementptr i8, ptr %f, i64 8
  %values = load ptr, ptr %values.at
  %sums.at = getelementptr i8, ptr %f, i64 16
  %sums = load ptr, ptr %sums.at
  %id = call i64 @__falx_global_id_x()
  %first.at = getelementptr i64, ptr %starts, i64 %id
  %first = load i64, ptr %first.at
  %last.at = getelementptr i8, ptr %first.at, i64 8
  %last = load i64, ptr %last.at
  br label %loop
loop:
  %i = phi i64 [ %first, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %at = getelementptr float, ptr %values, i64 %i
  %x = load float, ptr %at
  %more = fadd float %sum, %x
  %next = add nuw nsw i64 %i, 1
  %goes.on = icmp ult i64 %next, %last
  br i1 %goes.on, label %loop, label %end
end:
  %to = getelementptr float, ptr %sums, i64 %id
  store float %more, ptr %to
  ret void
}

; The same with a step that is 0 or 1 from iteration to iteration.
;--- skips.ll
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__falx_global_id_x()
define void @kernel(ptr %f) "falx-kind"="1" "falx-dimensions"="1" {
entry:
  %starts = load ptr, ptr %f
  %values.at = getelementptr i8, ptr %f, i64 8
  %values = load ptr, ptr %values.at
  %sums.at = getelementptr i8, ptr %f, i64 16
  %sums = load ptr, ptr %sums.at
  %id = call i64 @__falx_global_id_x()
  %first.at = getelementptr i64, ptr %starts, i64 %id
  %first = load i64, ptr %first.at
  %last.at = getelementptr i8, ptr %first.at, i64 8
  %last = load i64, ptr %last.at
  br label %loop
loop:
  %i = phi i64 [ %first, %entry ], [ %i.next, %loop ]
  %j = phi i64 [ %last, %entry ], [ %j.next, %loop ]
  %count = phi i32 [ 0, %entry ], [ %more, %loop ]
  %i.at = getelementptr i64, ptr %values, i64 %i
  %x = load i64, ptr %i.at
  %j.at = getelementptr i64, ptr %values, i64 %j
  %y = load i64, ptr %j.at
  %same = icmp eq i64 %x, %y
  %one = zext i1 %same to i32
  %more = add i32 %count, %one
  %not.above = icmp ule i64 %x, %y
  %i.step = zext i1 %not.above to i64
  %i.next = add nuw nsw i64 %i, %i.step
  %not.below = icmp uge i64 %x, %y
  %j.step = zext i1 %not.below to i64
  %j.next = add nuw nsw i64 %j, %j.step
  %goes.on = icmp ult i64 %i.next, %last
  br i1 %goes.on, label %loop, label %end
end:
  %to = getelementptr i32, ptr %sums, i64 %id
  store i32 %more, ptr %to
  ret void
}

; As in rows.ll, but the kernel would see that its sub-groups have one work-item.
;--- asks.ll
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__falx_global_id_x()
declare i32 @__falx_sub_group_max_size()
define void @kernel(ptr %f) "falx-kind"="1" "falx-dimensions"="1" {
entry:
  %starts = load ptr, ptr %f
  %values.at = getelementptr i8, ptr %f, i64 8
  %values = load ptr, ptr %values.at
  %sums.at = getelementptr i8, ptr %f, i64 16
  %sums = load ptr, ptr %sums.at
  %id = call i64 @__falx_global_id_x()
  %first.at = getelementptr i64, ptr %starts, i64 %id
  %first = load i64, ptr %first.at
  %last.at = getelementptr i8, ptr %first.at, i64 8
  %last = load i64, ptr %last.at
  br label %loop
loop:
  %i = phi i64 [ %first, %entry ], [ %next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %more, %loop ]
  %at = getelementptr i32, ptr %values, i64 %i
  %x = load i32, ptr %at
  %more = add i32 %sum, %x
  %next = add nuw nsw i64 %i, 1
  %goes.on = icmp ult i64 %next, %last
  br i1 %goes.on, label %loop, label %end
end:
  %size = call i32 @__falx_sub_group_max_size()
  %with.size = add i32 %more, %size
  %to = getelementptr i32, ptr %sums, i64 %id
  store i32 %with.size, ptr %to
  ret void
}

; Lanes have neighbouring columns.
;--- columns.ll
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__falx_global_id_x()
define void @kernel(ptr %f) "falx-kind"="1" "falx-dimensions"="1" {
entry:
  %values = load ptr, ptr %f
  %sums.at = getelementptr i8, ptr %f, i64 8
  %sums = load ptr, ptr %sums.at
  %id = call i64 @__falx_global_id_x()
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %row = mul nuw nsw i64 %i, 1024
  %column = add nuw nsw i64 %row, %id
  %at = getelementptr float, ptr %values, i64 %column
  %x = load float, ptr %at
  %more = fadd float %sum, %x
  %next = add nuw nsw i64 %i, 1
  %goes.on = icmp ult i64 %next, 1000
  br i1 %goes.on, label %loop, label %end
end:
  %to = getelementptr float, ptr %sums, i64 %id
  store float %more, ptr %to
  ret void
}

; Lanes leave one after the other, but 16 numbers are squared at once.
;--- squares.ll
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__falx_global_id_x()
define void @kernel(ptr %f) "falx-kind"="1" "falx-dimensions"="1" {
entry:
  %values = load ptr, ptr %f
  %id = call i64 @__falx_global_id_x()
  %at = getelementptr float, ptr %values, i64 %id
  %first = load float, ptr %at
  br label %loop
loop:
  %x = phi float [ %first, %entry ], [ %next, %loop ]
  %square = fmul float %x, %x
  %next = fadd float %square, %first
  %goes.on = fcmp olt float %next, 4.0
  br i1 %goes.on, label %loop, label %end
end:
  store float %next, ptr %at
  ret void
}

; Each lane follows a list of its own, whose pointers differ by what nobody knows.
;--- links.ll
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__falx_global_id_x()
define void @kernel(ptr %f) "falx-kind"="1" "falx-dimensions"="1" {
entry:
  %lists = load ptr, ptr %f
  %id = call i64 @__falx_global_id_x()
  %list.at = getelementptr ptr, ptr %lists, i64 %id
  %list = load ptr, ptr %list.at
  br label %loop
loop:
  %node = phi ptr [ %list, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %value.at = getelementptr i8, ptr %node, i64 8
  %x = load float, ptr %value.at
  %more = fadd float %sum, %x
  %next = load ptr, ptr %node
  %ends = icmp eq ptr %next, null
  br i1 %ends, label %end, label %loop
end:
  store float %more, ptr %list.at
  ret void
}

; Scattered stores, and a loop that the first lane alone goes through, once in either form.
;--- first.ll
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__falx_local_id_x()
define void @kernel(ptr %f) "falx-kind"="2" "falx-dimensions"="1" {
entry:
  %rows = load ptr, ptr %f
  %values.at = getelementptr i8, ptr %f, i64 8
  %values = load ptr, ptr %values.at
  %id = call i64 @__falx_local_id_x()
  %row.at = getelementptr i64, ptr %rows, i64 %id
  %row = load i64, ptr %row.at
  %at = getelementptr i64, ptr %values, i64 %row
  store i64 %row, ptr %at
  %at1 = getelementptr i8, ptr %at, i64 800
  store i64 %row, ptr %at1
  %at2 = getelementptr i8, ptr %at, i64 1600
  store i64 %row, ptr %at2
  %at3 = getelementptr i8, ptr %at, i64 2400
  store i64 %row, ptr %at3
  %at4 = getelementptr i8, ptr %at, i64 3200
  store i64 %row, ptr %at4
  %is.first = icmp eq i64 %id, 0
  br i1 %is.first, label %loop, label %end
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i64 [ 0, %entry ], [ %more, %loop ]
  %i.at = getelementptr i64, ptr %rows, i64 %i
  %x = load i64, ptr %i.at
  %more = add i64 %sum, %x
  %next = add nuw nsw i64 %i, 1
  %goes.on = icmp ult i64 %next, 1000
  br i1 %goes.on, label %loop, label %store
store:
  store i64 %more, ptr %values
  br label %end
end:
  ret void
}
