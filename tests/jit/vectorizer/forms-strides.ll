; What lanes have at known distances is loaded as it lies and shuffled where a register holds what several lanes, or several
; members of a structure, are about; farther apart each lane's element comes by itself. Elements of rows that are 2,048 bytes
; long, which are changed one after the other, are better done one work-item after the other.
; RUN: split-file %s %t
; RUN: sed s/LENGTH/2048/ %t/kernel.ll > %t/far.ll
; RUN: sed s/LENGTH/8/ %t/kernel.ll > %t/near.ll
; RUN: falx-opt -mtriple=x86_64-linux-gnu -mcpu=haswell '--passes=falx-form-kernel<lanes=8;must-pay>' %t/far.ll -S | FileCheck %s --check-prefix=FAR
; RUN: falx-opt -mtriple=x86_64-linux-gnu -mcpu=haswell '--passes=falx-form-kernel<lanes=8;must-pay>' %t/near.ll -S | FileCheck %s --check-prefix=NEAR
; FAR-NOT: lanes(
; NEAR: @kernel.work_item.lanes(

;--- kernel.ll
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__falx_global_id_x()

define void @kernel(ptr %f) "falx-kind"="1" "falx-dimensions"="1" {
entry:
  %data = load ptr, ptr %f
  %other.at = getelementptr i8, ptr %f, i64 8
  %other = load ptr, ptr %other.at
  %id = call i64 @__falx_global_id_x()
  %begin = mul nsw i64 %id, LENGTH
  %row = getelementptr i8, ptr %data, i64 %begin
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %before = phi i32 [ 0, %entry ], [ %less, %loop ]
  %at = getelementptr i32, ptr %row, i64 %k
  %y = load i32, ptr %at
  %factor.at = getelementptr i32, ptr %other, i64 %k
  %factor = load i32, ptr %factor.at
  %x = sub i32 %y, %factor
  %less = sub i32 %x, %before
  store i32 %less, ptr %at
  %next = add nuw nsw i64 %k, 1
  %goes.on = icmp ne i64 %next, 400
  br i1 %goes.on, label %loop, label %end
end:
  ret void
}
