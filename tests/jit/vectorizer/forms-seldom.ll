; What lanes do one after the other is done by those that are there: a message that is expected never, and an atomic
; addition behind a test, are no reason to run work-items one after the other.
; RUN: split-file %s %t
; RUN: falx-opt -mtriple=x86_64-linux-gnu -mcpu=skylake-avx512 '--passes=falx-cold-calls,falx-form-kernel<lanes=16;must-pay>' %t/prints.ll | FileCheck %s --check-prefix=VECTORS
; RUN: falx-opt -mtriple=x86_64-linux-gnu -mcpu=skylake-avx512 '--passes=falx-form-kernel<lanes=16;must-pay>' %t/counts.ll | FileCheck %s --check-prefix=VECTORS
; RUN: falx-opt -mtriple=x86_64-linux-gnu -mcpu=skylake-avx512 '--passes=falx-form-kernel<lanes=16;must-pay>' %t/counts-all.ll | FileCheck %s --check-prefix=ALONE
; ALONE-NOT: x i1>
; ALONE: define internal void @kernel.work_item(
; ALONE-NOT: x i1>
; VECTORS: define internal void @kernel.work_item.lanes(

;--- prints.ll
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__falx_global_id_x()
declare i32 @printf(ptr, ...)
@text = private constant [6 x i8] c"wrong\00"
define void @kernel(ptr %f) "falx-kind"="1" "falx-dimensions"="1" {
entry:
  %data = load ptr, ptr %f
  %id = call i64 @__falx_global_id_x()
  %at = getelementptr i32, ptr %data, i64 %id
  %x = load i32, ptr %at
  %is.wrong = icmp slt i32 %x, 0
  br i1 %is.wrong, label %report, label %go.on
report:
  call i32 (ptr, ...) @printf(ptr @text, i32 %x)
  br label %go.on
go.on:
  %y = mul i32 %x, %x
  %z = mul i32 %y, %x
  store i32 %z, ptr %at
  ret void
}

;--- counts.ll
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__falx_global_id_x()
define void @kernel(ptr %f) "falx-kind"="1" "falx-dimensions"="1" {
entry:
  %data = load ptr, ptr %f
  %count.at = getelementptr i8, ptr %f, i64 8
  %count = load ptr, ptr %count.at
  %id = call i64 @__falx_global_id_x()
  %at = getelementptr i32, ptr %data, i64 %id
  %x = load i32, ptr %at
  %is.wrong = icmp slt i32 %x, 0
  br i1 %is.wrong, label %report, label %go.on
report:
  %ignored = atomicrmw add ptr %count, i32 1 monotonic, align 4
  br label %go.on
go.on:
  %y = mul i32 %x, %x
  %z = mul i32 %y, %x
  store i32 %z, ptr %at
  ret void
}

;--- counts-all.ll
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__falx_global_id_x()
define void @kernel(ptr %f) "falx-kind"="1" "falx-dimensions"="1" {
entry:
  %data = load ptr, ptr %f
  %id = call i64 @__falx_global_id_x()
  %to.at = getelementptr i64, ptr %data, i64 %id
  %to = load i64, ptr %to.at
  %count = getelementptr i32, ptr %data, i64 %to
  %ignored = atomicrmw add ptr %count, i32 1 monotonic, align 4
  ret void
}
