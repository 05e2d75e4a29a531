; Where results are not to depend on what is known, only what is loaded as an integer is replaced.
; RUN: falx-opt "--passes=falx-captured-constants<integers;bytes=8:20000000;bytes=20:0000803f;bytes=24:0100000002000000>" -S %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define void @kernel(ptr dereferenceable(64) %f, i32 %i) "falx-kind"="2" {
; CHECK-LABEL: @kernel
  %out = load ptr, ptr %f
  %a8 = getelementptr i8, ptr %f, i64 8
  %stride = load i32, ptr %a8
; CHECK: mul i32 %i, 32
  %row = mul i32 %i, %stride
  store i32 %row, ptr %out
  %a20 = getelementptr i8, ptr %f, i64 20
; CHECK: %factor = load float, ptr %a20
  %factor = load float, ptr %a20
  store float %factor, ptr %out
; CHECK: call void @llvm.memcpy.p0.p0.i64(ptr %out, ptr %a24, i64 8
  %a24 = getelementptr i8, ptr %f, i64 24
  call void @llvm.memcpy.p0.p0.i64(ptr %out, ptr %a24, i64 8, i1 false)
  ret void
}
