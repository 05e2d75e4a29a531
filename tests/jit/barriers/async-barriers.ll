; Waits suspend work-items one by one: a region per suspension, values and places per work-item, a scheduler that goes
; from one that can run to the next.
; RUN: falx-opt --passes=falx-lower-builtins,falx-split-barriers -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare i64 @__falx_local_id_x()
declare void @__falx_work_group_barrier()
declare void @__falx_async_barrier_initialize(ptr, i32)
declare i64 @__falx_async_barrier_arrive(ptr)
declare void @__falx_async_barrier_wait(ptr, i64)
declare zeroext i1 @__falx_async_barrier_test(ptr, i64)

; The arrival that completes a cycle: the state starts anew, and the list of those that wait goes behind the others.
; CHECK-LABEL: define internal i64 @falx.async_barrier.count(ptr %state, i64 %arrivals, i64 %dropped, ptr %links, ptr %ready)
; CHECK: completion:
; CHECK: store i64 {{.*}}, ptr %state
; CHECK: wakes:
; CHECK: %ready.before = load i32, ptr %ready
; CHECK: store i32 %woken, ptr %ready
; CHECK: call void @falx.list.join(i32 %ready.before, i32 %woken, ptr %links)

; Region 0 ends at the group barrier and has kept the loaded value for the work-item.
; CHECK-LABEL: define internal { i32 } @kernel.region.0(
; CHECK: store i64 68719542272, ptr %state
; CHECK: ret { i32 } { i32 1 }
; Region 1 arrives; with its cycle over it goes on to the test, else it stops behind the wait.
; CHECK-LABEL: define internal { i32 } @kernel.region.1(
; CHECK: call i64 @falx.async_barrier.count(
; CHECK: call i1 @falx.async_barrier.is_over(
; CHECK: call void @falx.list.join(
; CHECK: store i64 {{.*}}, ptr %state
; CHECK-DAG: ret { i32 } { i32 2 }
; CHECK-DAG: ret { i32 } { i32 3 }
; CHECK-DAG: ret { i32 } { i32 4 }
; CHECK-LABEL: define internal { i32 } @kernel.region.2(
; CHECK-LABEL: define internal { i32 } @kernel.region.3(
; CHECK: ret { i32 } { i32 4 }

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
