; Copies from known bytes of the function object: as a whole, or, of private copies, the known part on top of the rest.
; RUN: falx-opt "--passes=falx-captured-constants<bytes=8:2000000000000000;bytes=20:0000803f>" %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK-DAG: @captured = private unnamed_addr constant [8 x i8] c" \00\00\00\00\00\00\00", align 16
; CHECK-DAG: @captured.2 = private unnamed_addr constant [8 x i8] c" \00\00\00\00\00\00\00", align 16
; CHECK-DAG: @captured.1 = private unnamed_addr constant [4 x i8] c"\00\00\80?", align 16

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @use(ptr)

define void @kernel(ptr dereferenceable(64) %f, ptr %to, i64 %n) "falx-kind"="2" {
; CHECK-LABEL: @kernel
  %a = alloca [16 x i8], align 8
  %f8 = getelementptr i8, ptr %f, i64 8
  %f12 = getelementptr i8, ptr %f, i64 12
; CHECK: call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr align 16 @captured.2, i64 8, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %f8, i64 8, i1 false)
; Bytes 16 to 19 are not known.
; CHECK: call void @llvm.memcpy.p0.p0.i64(ptr align 8 %a, ptr %f8, i64 16, i1 false)
; CHECK-DAG: call void @llvm.memcpy.p0.p0.i64(ptr align 4 [[AT:%.*]], ptr align 16 @captured.1, i64 4, i1 false)
; CHECK-DAG: call void @llvm.memcpy.p0.p0.i64(ptr align 8 {{%.*}}, ptr align 16 @captured, i64 8, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %a, ptr %f8, i64 16, i1 false)
  call void @use(ptr %a)
; Memory that others see is written once.
; CHECK: call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %f12, i64 12, i1 false)
; CHECK-NOT: call void @llvm.memcpy
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %f12, i64 12, i1 false)
; A length that is not known, and a volatile copy.
; CHECK: call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %f8, i64 %n, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %f8, i64 %n, i1 false)
; CHECK: call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %f8, i64 8, i1 true)
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %f8, i64 8, i1 true)
  ret void
}
