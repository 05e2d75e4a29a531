; What a loop with barriers adds to is the group's, where work-items only begin differently; what they begin with is apart.
; RUN: falx-opt --passes=falx-lower-builtins,falx-separate-inductions -S %s | FileCheck %s

declare i64 @__falx_group_id_x()
declare i64 @__falx_local_id_x()
declare void @__falx_work_group_barrier()

; CHECK-LABEL: define internal void @kernel.work_item(
; Nothing wraps where all are numbers from 0.
; CHECK: %[[BASE:.*]] = shl nuw nsw i64 %group.x, 5
; CHECK: %[[GROUP_SHORT:.*]] = trunc i64 %[[BASE]] to i32
; CHECK: %[[OWN:.*]] = trunc i64 %index.x to i32
; CHECK: loop:
; CHECK-NEXT: %i.group = phi i64 [ %[[BASE]], %0 ], [ %[[NEXT:.*]], %loop ]
; CHECK-NEXT: %down.group = phi i32 [ %[[GROUP_SHORT]], %0 ], [ %[[DOWN_NEXT:.*]], %loop ]
; CHECK-NEXT: %at.group = phi i64 [ 0, %0 ], [ %[[AT_NEXT:.*]], %loop ]
; Another step for each work-item, and what is the same for all, stay.
; CHECK-NEXT: %own = phi i64 [ %index.x, %0 ], [ %{{.*}}, %loop ]
; CHECK-NEXT: %count = phi i64 [ 0, %0 ], [ %{{.*}}, %loop ]
; CHECK-NEXT: %at = getelementptr i8, ptr %from, i64 %at.group
; CHECK-NEXT: %down = add i32 %down.group, %[[OWN]]
; CHECK-NEXT: %i = add nuw nsw i64 %i.group, %index.x
; CHECK: %[[NEXT]] = add nuw nsw i64 %i.group, 4096
; CHECK: %[[DOWN_HALF:.*]] = sub i32 %down.group, %step
; CHECK: %[[DOWN_NEXT]] = add i32 %[[DOWN_HALF]], -3
; CHECK: %[[AT_NEXT]] = add i64 %at.group, 256
; What is first tested and then goes on has the bound of all: %i - %index.x is %i.group.
; CHECK: icmp ult i64 %i.group, %n
define void @kernel(ptr %f) "falx-kind"="2" "falx-dimensions"="1" "falx-sub-group-size"="4" "falx-local-range"="32,1,1" "falx-no-offset" {
  %group = call range(i64 0, 1000) i64 @__falx_group_id_x()
  %id = call range(i64 0, 32) i64 @__falx_local_id_x()
  %base = shl nuw nsw i64 %group, 5
  %first = add nuw nsw i64 %base, %id
  %first.short = trunc i64 %first to i32
  %data = load ptr, ptr %f
  %n = load i64, ptr %data
  %step = load i32, ptr %data
  %from = getelementptr i32, ptr %data, i64 %id
  br label %loop
loop:
  %i = phi i64 [ %first, %0 ], [ %i.next, %loop ]
  %down = phi i32 [ %first.short, %0 ], [ %down.next, %loop ]
  %at = phi ptr [ %from, %0 ], [ %at.next, %loop ]
  %own = phi i64 [ %id, %0 ], [ %own.next, %loop ]
  %count = phi i64 [ 0, %0 ], [ %count.next, %loop ]
  store i64 %i, ptr %at
  call void @__falx_work_group_barrier()
  store i32 %down, ptr %at
  store i64 %own, ptr %at
  %i.next = add nuw nsw i64 %i, 4096
  %down.half = sub nsw i32 %down, %step
  %down.next = add nsw i32 %down.half, -3
  %at.next = getelementptr inbounds i64, ptr %at, i64 32
  %own.next = add i64 %own, %id
  %count.next = add i64 %count, 1
  %ahead = sub i64 %i, %id
  %again = icmp ult i64 %ahead, %n
  br i1 %again, label %loop, label %end
end:
  ret void
}
