; Rows that all lanes go through in step, to one end: one sum after the other waits for each fused operation;
; as a vector, lanes wait together, their rows are read as fast, and where these start is found before the loop.
; RUN: falx-opt -mtriple=x86_64-linux-gnu -mcpu=skylake-avx512 '--passes=falx-form-kernel<lanes=16;must-pay>' %s | FileCheck %s
; RUN: falx-opt -mtriple=x86_64-linux-gnu -mcpu=haswell '--passes=falx-form-kernel<lanes=8;must-pay>' %s | FileCheck %s
; RUN: falx-opt -mtriple=x86_64-linux-gnu -mcpu=znver3 '--passes=falx-form-kernel<lanes=8;must-pay>' %s | FileCheck %s
; CHECK: define internal void @kernel.work_item.lanes(
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__falx_global_id_x()
declare float @llvm.fmuladd.f32(float, float, float)

define void @kernel(ptr %f) "falx-kind"="1" "falx-dimensions"="1" {
entry:
  %matrix = load ptr, ptr %f
  %vector.at = getelementptr i8, ptr %f, i64 8
  %vector = load ptr, ptr %vector.at
  %sums.at = getelementptr i8, ptr %f, i64 16
  %sums = load ptr, ptr %sums.at
  %length.at = getelementptr i8, ptr %f, i64 24
  %length = load i32, ptr %length.at
  %id = call i64 @__falx_global_id_x()
  %row = trunc i64 %id to i32
  %start = mul nsw i32 %row, %length
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %index = add nsw i32 %start, %k
  %wide = sext i32 %index to i64
  %at = getelementptr float, ptr %matrix, i64 %wide
  %a = load float, ptr %at
  %k.wide = zext nneg i32 %k to i64
  %x.at = getelementptr float, ptr %vector, i64 %k.wide
  %x = load float, ptr %x.at
  %more = call float @llvm.fmuladd.f32(float %a, float %x, float %sum)
  %next = add nuw nsw i32 %k, 1
  %goes.on = icmp slt i32 %next, %length
  br i1 %goes.on, label %loop, label %end
end:
  %to = getelementptr float, ptr %sums, i64 %id
  store float %more, ptr %to
  ret void
}
