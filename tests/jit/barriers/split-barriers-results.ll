; Where the work-items go next and what they take along is found out once per group, if it is the same for all
; without looking at memory.
; RUN: falx-opt --passes=falx-lower-builtins,falx-split-barriers -S %s | FileCheck %s

declare i64 @__falx_local_id_x()
declare void @__falx_work_group_barrier()

; CHECK-LABEL: define internal { i32, i32 } @kernel.region.1.results(
; CHECK-NOT: store
; CHECK: %n.next = add i32 %{{.*}}, 1
; CHECK: ret { i32, i32 } %
; CHECK-LABEL: define internal { i32, i32 } @kernel.region.1.lanes(
; CHECK: masked.store
; CHECK-NOT: insertvalue
; CHECK: ret { i32, i32 } poison
; The number of the last round is in memory, which the region itself may change.
; CHECK-NOT: @kernel.region.2.results
; CHECK-LABEL: define internal { i32, i32 } @kernel.region.2.lanes(
; CHECK: load i32
; CHECK-LABEL: define internal void @kernel.group(
; CHECK: call { i32, i32 } @kernel.region.1.lanes({{.*}}, <4 x i1> splat (i1 true))
; CHECK: lanes.end{{.*}}:
; CHECK: %[[RESULT:.*]] = call { i32, i32 } @kernel.region.1.results(
; CHECK: extractvalue { i32, i32 } %[[RESULT]], 1
define void @kernel(ptr %f) "falx-kind"="2" "falx-dimensions"="1" "falx-sub-group-size"="4" "falx-local-range"="64,1,1" {
  %data = load ptr, ptr %f, !invariant.load !0
  %id = call i64 @__falx_local_id_x()
  %own = getelementptr i32, ptr %data, i64 %id
  br label %loop
loop:
  %n = phi i32 [ 0, %0 ], [ %n.next, %loop ], [ %n, %last ]
  call void @__falx_work_group_barrier()
  store i32 %n, ptr %own
  %n.next = add i32 %n, 1
  %done = icmp eq i32 %n.next, 7
  br i1 %done, label %last, label %loop
last:
  call void @__falx_work_group_barrier()
  store i32 5, ptr %own
  %word = load i32, ptr %data
  %again = icmp eq i32 %word, 0
  br i1 %again, label %loop, label %end
end:
  ret void
}
!0 = !{}
