; Lanes that wait: one call arrives for all of them, and puts those of them into the barrier's list whose cycle is not
; over; each says where it goes on. The sub-group meets again before what it does together.
; RUN: falx-opt --passes=falx-lower-builtins,falx-split-barriers -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare i64 @__falx_local_id_x()
declare i32 @__falx_sub_group_reduce_add_u32(i32)
declare i64 @__falx_async_barrier_arrive(ptr)
declare void @__falx_async_barrier_wait(ptr, i64)

; CHECK-LABEL: define internal { i32 } @kernel.region.0.lanes(
; CHECK: %[[LANES:.*]] = zext i4 {{.*}} to i64
; CHECK: %[[COUNT:.*]] = call i64 @llvm.ctpop.i64(i64 %[[LANES]])
; CHECK: %[[ARRIVING:.*]] = mul i64 1, %[[COUNT]]
; CHECK: call i64 @falx.async_barrier.count(ptr %state{{.*}}, i64 %[[ARRIVING]],
; CHECK: %now = load i64, ptr %state
; CHECK: %over = icmp ne i64
; CHECK: call void @falx.async_barrier.enlist(ptr %state
; Behind the wait come those that waited, and all go on behind the place where they meet.
; CHECK-DAG: @llvm.masked.store.v4i32.p0(<4 x i32> splat (i32 1),
; CHECK-DAG: @llvm.masked.store.v4i32.p0(<4 x i32> splat (i32 2),
; CHECK-LABEL: define internal { i32 } @kernel.region.2.lanes(
; CHECK: call i32 @llvm.vector.reduce.add.v4i32(

; A sub-group of which all lanes have returned, or are there, goes on.
; CHECK-LABEL: define internal void @kernel.group(
; CHECK: ran:
; CHECK: %[[HERE:.*]] = icmp eq <4 x i32> %[[NEXT:.*]], splat (i32 2)
; CHECK: %[[RETURNED:.*]] = icmp eq <4 x i32> %[[NEXT]], splat (i32 3)
; CHECK: %[[EITHER:.*]] = or <4 x i1> {{.*}}, %[[RETURNED]]
; CHECK: call i1 @llvm.vector.reduce.and.v4i1(<4 x i1> %[[EITHER]])
; CHECK: call void @falx.schedule(
; A whole sub-group has a copy of a region of its own.
; CHECK: call { i32 } @kernel.region.0.lanes({{.*}}, <4 x i1> splat (i1 true))
; If nobody else can go on those that are there do.
; CHECK: part:
; CHECK: parting:
; CHECK: icmp eq <4 x i32> {{.*}}, splat (i32 2)
; CHECK: call void @falx.schedule(
define void @kernel(ptr dereferenceable(16) %f) "falx-kind"="2" "falx-dimensions"="1" "falx-sub-group-size"="4" {
entry:
  %self = call i64 @__falx_local_id_x()
  %state = load ptr, ptr %f
  %out.at = getelementptr ptr, ptr %f, i64 1
  %out = load ptr, ptr %out.at
  %mine = getelementptr i32, ptr %out, i64 %self
  %value = load i32, ptr %mine
  %bit = and i64 %self, 1
  %is.odd = icmp ne i64 %bit, 0
  br i1 %is.odd, label %odd, label %all
odd:
  %token = call i64 @__falx_async_barrier_arrive(ptr %state)
  call void @__falx_async_barrier_wait(ptr %state, i64 %token)
  br label %all
all:
  %sum = call i32 @__falx_sub_group_reduce_add_u32(i32 %value)
  store i32 %sum, ptr %mine
  ret void
}
