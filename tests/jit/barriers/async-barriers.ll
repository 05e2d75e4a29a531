; Waits suspend work-items one by one: a region per suspension, values and places per work-item, a scheduler that goes
; from a sub-group with lanes that can run to the next. Here sub-groups have one work-item.
; RUN: falx-opt --passes=falx-lower-builtins,falx-split-barriers -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare i64 @__falx_local_id_x()
declare void @__falx_work_group_barrier()
declare void @__falx_async_barrier_initialize(ptr, i32)
declare i64 @__falx_async_barrier_arrive(ptr)
declare void @__falx_async_barrier_wait(ptr, i64)
declare zeroext i1 @__falx_async_barrier_test(ptr, i64)

; The arrival that completes a cycle: the state starts anew, and the nodes of those that wait can run.
; CHECK-LABEL: define internal i64 @falx.async_barrier.count(ptr %state, i64 %arrivals, i64 %dropped,
; CHECK: completion:
; CHECK: store i64 {{.*}}, ptr %state
; CHECK: wakes:
; CHECK: %woken = load i32
; CHECK: call void @falx.schedule(ptr %sub_groups, ptr %ready, i32 %sub.group, i64 %lanes)

; Region 0 ends at the group barrier and has kept the loaded value for the work-item.
; CHECK-LABEL: define internal { i32 } @kernel.region.0(
; CHECK: store i64 68719542272, ptr %state
; CHECK: store i32 1, ptr %slot
; Region 1 arrives; with its cycle over it goes on to the test, else it stops behind the wait. What others may change
; stays behind calls and fences.
; CHECK-LABEL: define internal { i32 } @kernel.region.1(
; CHECK: call i64 @falx.async_barrier.count(
; CHECK: call i1 @falx.async_barrier.enter(
; CHECK: store i32 2, ptr %slot
; CHECK: fence syncscope("singlethread") seq_cst
; CHECK-NEXT: load i64, ptr %state
; CHECK-NEXT: fence syncscope("singlethread") seq_cst
; CHECK-DAG: store i32 3, ptr %slot
; CHECK-DAG: store i32 4, ptr %slot
; CHECK-LABEL: define internal { i32 } @kernel.region.2(
; CHECK-LABEL: define internal { i32 } @kernel.region.3(
; CHECK: store i32 4, ptr %slot

; CHECK-LABEL: define internal void @kernel.group(
; CHECK: pick:
; CHECK: %last{{.*}} = load i32, ptr
; CHECK: start:
; CHECK: switch i32 %resume, label %region.0 [
; CHECK-NEXT: i32 1, label %region.1
; CHECK-NEXT: i32 2, label %region.2
; CHECK-NEXT: i32 3, label %region.3
; CHECK-NEXT: ]
; CHECK: deadlock:
; CHECK: call void %report(ptr %worker, i64 {{.*}}, i64 {{.*}})
define void @kernel(ptr dereferenceable(16) %f) "falx-kind"="2" "falx-dimensions"="1" {
  %self = call i64 @__falx_local_id_x()
  %state = load ptr, ptr %f
  %out.at = getelementptr ptr, ptr %f, i64 1
  %out = load ptr, ptr %out.at
  %mine = getelementptr i32, ptr %out, i64 %self
  %value = load volatile i32, ptr %mine
  call void @__falx_async_barrier_initialize(ptr %state, i32 65536)
  call void @__falx_work_group_barrier()
  %token = call i64 @__falx_async_barrier_arrive(ptr %state)
  call void @__falx_async_barrier_wait(ptr %state, i64 %token)
  %complete = call zeroext i1 @__falx_async_barrier_test(ptr %state, i64 %token)
  %number = zext i1 %complete to i32
  %sum = add i32 %value, %number
  store i32 %sum, ptr %mine
  ret void
}
