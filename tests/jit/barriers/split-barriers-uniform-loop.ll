; The counter of a loop around a barrier is the same for all work-items: one scalar, and no slot, per group. The
; loop over regions is a loop of the group function.
; RUN: falx-opt --passes=falx-lower-builtins,falx-split-barriers -S %s | FileCheck %s

declare i64 @__falx_local_id_x()
declare void @__falx_work_group_barrier()

; CHECK-LABEL: define internal { i32, i32 } @kernel.region.0(
; CHECK: insertvalue { i32, i32 } { i32 1, i32 poison }, i32 0, 1
; CHECK-LABEL: define internal { i32, i32 } @kernel.region.1(
; CHECK-SAME: i32 %[[N:[0-9]+]])
; CHECK: insertvalue { i32, i32 } { i32 1, i32 poison }, i32 %n.next, 1
; CHECK: %n.next = add i32 %[[N]], 1
; CHECK: ret { i32, i32 } { i32 2, i32 poison }
; CHECK-LABEL: define internal void @kernel.group(
; CHECK: region.1:
; CHECK: %[[COUNTER:.*]] = phi i32
; CHECK: %[[RESULT:.*]] = call { i32, i32 } @kernel.region.1({{.*}}, i32 %[[COUNTER]])
; CHECK: %[[NEXT:.*]] = extractvalue { i32, i32 } %[[RESULT]], 0
; CHECK: %[[AGAIN:.*]] = icmp eq i32 %[[NEXT]], 1
; CHECK: br i1 %[[AGAIN]], label %region.1, label %done
; CHECK-NOT: "falx-context"
define void @kernel(ptr %f) "falx-kind"="2" "falx-dimensions"="1" {
entry:
  %id = call i64 @__falx_local_id_x()
  br label %loop
loop:
  %n = phi i32 [ 0, %entry ], [ %n.next, %loop ]
  call void @__falx_work_group_barrier()
  %data = load ptr, ptr %f
  %at = getelementptr i32, ptr %data, i64 %id
  store i32 %n, ptr %at
  %n.next = add i32 %n, 1
  %again = icmp ult i32 %n.next, 10
  br i1 %again, label %loop, label %end
end:
  ret void
}
