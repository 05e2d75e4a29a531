; Where vectors have no gathers and no registers for masks, what is done for lanes that have left counts.
; RUN: falx-opt -mtriple=x86_64-linux-gnu -mcpu=skylake-avx512 '--passes=falx-form-kernel<lanes=16;must-pay>' %s | FileCheck %s --check-prefix=VECTORS
; RUN: falx-opt -mtriple=x86_64-linux-gnu -mcpu=haswell '--passes=falx-form-kernel<lanes=8;must-pay>' %s | FileCheck %s --check-prefix=ALONE
; RUN: falx-opt -mtriple=x86_64-linux-gnu -mcpu=nehalem '--passes=falx-form-kernel<lanes=4;must-pay>' %s | FileCheck %s --check-prefix=ALONE
; ALONE-NOT: x i1>
; ALONE: define internal void @kernel.work_item(
; ALONE-NOT: x i1>
; VECTORS: define internal void @kernel.work_item.lanes(
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__falx_global_id_x()

; A walk through a graph: from node to node, of which each has the next one's number.
define void @kernel(ptr %f) "falx-kind"="1" "falx-dimensions"="1" {
entry:
  %nodes = load ptr, ptr %f
  %out.at = getelementptr i8, ptr %f, i64 8
  %out = load ptr, ptr %out.at
  %id = call i64 @__falx_global_id_x()
  %start = trunc i64 %id to i32
  br label %loop
loop:
  %node = phi i32 [ %start, %entry ], [ %next, %loop ]
  %node.64 = zext i32 %node to i64
  %at = getelementptr i32, ptr %nodes, i64 %node.64
  %next = load i32, ptr %at
  %goes.on = icmp ne i32 %next, 0
  br i1 %goes.on, label %loop, label %end
end:
  %to = getelementptr i32, ptr %out, i64 %id
  store i32 %node, ptr %to
  ret void
}
