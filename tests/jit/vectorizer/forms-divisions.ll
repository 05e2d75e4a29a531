; Quotients of integers that wait for each other take a processor longer than vectors of them, which it has as doubles.
; RUN: falx-opt -mtriple=x86_64-linux-gnu -mcpu=znver4 '--passes=falx-form-kernel<lanes=16;must-pay>' %s | FileCheck %s
; RUN: falx-opt -mtriple=x86_64-linux-gnu -mcpu=haswell '--passes=falx-form-kernel<lanes=8;must-pay>' %s | FileCheck %s
; CHECK: define internal void @kernel.work_item.lanes(
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__falx_global_id_x()

; The greatest common divisor.
define void @kernel(ptr %f) "falx-kind"="1" "falx-dimensions"="1" {
entry:
  %data = load ptr, ptr %f
  %id = call i64 @__falx_global_id_x()
  %at = getelementptr i32, ptr %data, i64 %id
  %x = load i32, ptr %at
  %y = trunc i64 %id to i32
  br label %loop
loop:
  %a = phi i32 [ %x, %entry ], [ %b, %next ]
  %b = phi i32 [ %y, %entry ], [ %rest, %next ]
  %is.zero = icmp eq i32 %b, 0
  br i1 %is.zero, label %end, label %next
next:
  %rest = urem i32 %a, %b
  br label %loop
end:
  store i32 %a, ptr %at
  ret void
}
