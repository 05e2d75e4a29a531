; Rows of two work-items are four to a vector of eight: what lies behind another in a row lies in four places then, which is
; gathered. Rows of eight are a vector, and neighbours.
; RUN: split-file %s %t
; RUN: sed s/RANGE/2,16,1/ %t/kernel.ll > %t/short.ll
; RUN: sed s/RANGE/8,16,1/ %t/kernel.ll > %t/long.ll
; RUN: falx-opt -mtriple=x86_64-linux-gnu -mcpu=haswell '--passes=falx-form-kernel<lanes=8;must-pay>' %t/short.ll -S | FileCheck %s --check-prefix=SHORT
; RUN: falx-opt -mtriple=x86_64-linux-gnu -mcpu=haswell '--passes=falx-form-kernel<lanes=8;must-pay>' %t/long.ll -S | FileCheck %s --check-prefix=LONG
; SHORT-NOT: lanes(
; LONG: @kernel.work_item.lanes(

;--- kernel.ll
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__falx_local_id_x()
declare i64 @__falx_local_id_y()

define void @kernel(ptr %f) "falx-kind"="2" "falx-dimensions"="2" "falx-local-range"="RANGE" {
  %data = load ptr, ptr %f
  %length.at = getelementptr i8, ptr %f, i64 8
  %length = load i64, ptr %length.at
  %x = call i64 @__falx_local_id_x()
  %y = call i64 @__falx_local_id_y()
  %row = mul nsw i64 %y, %length
  %index = add nsw i64 %row, %x
  %at = getelementptr float, ptr %data, i64 %index
  %right.at = getelementptr i8, ptr %at, i64 4
  %below.at = getelementptr float, ptr %at, i64 %length
  %here = load float, ptr %at
  %right = load float, ptr %right.at
  %below = load float, ptr %below.at
  %one = fadd float %here, %right
  %all = fadd float %one, %below
  store float %all, ptr %at
  ret void
}
