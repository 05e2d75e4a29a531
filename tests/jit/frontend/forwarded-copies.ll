; What a kernel copies of its function object and only reads is the object's own.
; RUN: falx-opt --passes=falx-captured-copies %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.lifetime.start.p0(ptr)
declare void @llvm.lifetime.end.p0(ptr)
declare void @look(ptr)

define void @kernel(ptr align 8 dereferenceable(440) %f, ptr %out, ptr %other, i64 %i, i1 %c) "falx-kind"="2" {
; CHECK-LABEL: @kernel
entry:
; Copies of copies, indices, steps that are chosen, and copies to elsewhere:
; CHECK: [[FIRST:%captured]] = getelementptr inbounds i8, ptr %f, i64 8
  %first = alloca [4 x i64], align 8
  %second = alloca [4 x i64], align 8
; CHECK-NEXT: [[SECOND:%captured.*]] = getelementptr inbounds i8, ptr %f, i64 8
; CHECK-NEXT: [[SHORT:%captured.*]] = getelementptr inbounds i8, ptr %f, i64 40
; CHECK-NEXT: %target = alloca [4 x i64], align 8
  %short = alloca [2 x float], align 4
  %target = alloca [4 x i64], align 8
; CHECK-NEXT: %written = alloca
  %written = alloca [4 x i64], align 8
; CHECK-NEXT: %twice = alloca
  %twice = alloca [4 x i64], align 8
; CHECK-NEXT: %part = alloca
  %part = alloca [4 x i64], align 8
; CHECK-NEXT: %aligned = alloca
  %aligned = alloca [4 x i64], align 16
; CHECK-NEXT: %escapes = alloca
  %escapes = alloca [4 x i64], align 8
; CHECK-NEXT: %foreign = alloca
  %foreign = alloca [4 x i64], align 8
; CHECK-NEXT: %ordered = alloca
  %ordered = alloca [4 x i64], align 8
; CHECK-NEXT: %inside = alloca
  %inside = alloca [4 x i64], align 8
  %array = getelementptr inbounds i8, ptr %f, i64 8
; CHECK-NOT: @llvm.lifetime
  call void @llvm.lifetime.start.p0(ptr %first)
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %first, ptr align 8 %array, i64 32, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %second, ptr align 8 %first, i64 32, i1 false)
  call void @llvm.lifetime.end.p0(ptr %first)
; CHECK: getelementptr i64, ptr [[SECOND]], i64 %i
  %at = getelementptr i64, ptr %second, i64 %i
  %chosen = select i1 %c, ptr %at, ptr %other
  %v = load i64, ptr %chosen
  store i64 %v, ptr %out
; CHECK: call void @llvm.memcpy.p0.p0.i64(ptr align 8 %target, ptr align 8 [[SECOND]], i64 32, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %target, ptr align 8 %second, i64 32, i1 false)
  store i64 1, ptr %target
; CHECK: [[AT:%.*]] = getelementptr float, ptr [[SHORT]], i64 %i
; CHECK-NEXT: load float, ptr [[AT]]
  %pair = getelementptr inbounds i8, ptr %f, i64 40
  %both = load i64, ptr %pair, align 4
  store i64 %both, ptr %short, align 4
  %in_pair = getelementptr float, ptr %short, i64 %i
  %u = load float, ptr %in_pair
  store float %u, ptr %other

; One that is written to, twice or in part, that others may write, that wants more alignment, or has other
; memory stays:
; CHECK: memcpy{{.*}} %written,
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %written, ptr align 8 %array, i64 32, i1 false)
  %element = getelementptr i64, ptr %written, i64 %i
  store i64 2, ptr %element
; CHECK: memcpy{{.*}} %twice,
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %twice, ptr align 8 %array, i64 32, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %twice, ptr align 8 %f, i64 32, i1 false)
; CHECK: memcpy{{.*}} %part,
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %part, ptr align 8 %array, i64 24, i1 false)
; CHECK: memcpy{{.*}} %aligned,
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %aligned, ptr align 8 %array, i64 32, i1 false)
; CHECK: memcpy{{.*}} %escapes,
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %escapes, ptr align 8 %array, i64 32, i1 false)
  call void @look(ptr %escapes)
; CHECK: memcpy{{.*}} %foreign,
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %foreign, ptr align 8 %other, i64 32, i1 false)
; CHECK: memcpy{{.*}} %ordered,
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %ordered, ptr align 8 %array, i64 32, i1 false)
  %w = load volatile i64, ptr %ordered
  store i64 %w, ptr %out
; CHECK: memcpy{{.*}} %behind,
  %behind = getelementptr i64, ptr %inside, i64 1
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %behind, ptr align 8 %array, i64 32, i1 false)
  ret void
}
