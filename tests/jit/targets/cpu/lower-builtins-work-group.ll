; In kind work_group one thread of control runs the group's body: its loops over work-items are whole loops.
; RUN: falx-opt --passes=falx-lower-builtins -S %s | FileCheck %s

declare void @__falx_work_items_begin()
declare void @__falx_work_items_end()
declare i64 @__falx_work_items_first_x()
declare i64 @__falx_work_items_step_x()
declare i64 @__falx_local_range_x()

; CHECK-LABEL: define internal void @kernel.work_item(
; CHECK-NOT: __falx
; CHECK: %i = phi i64 [ 0, %0 ], [ %next, %loop ]
; CHECK: %next = add i64 %i, 1
; CHECK-NOT: __falx
define void @kernel(ptr %f) "falx-kind"="3" "falx-dimensions"="1" {
  call void @__falx_work_items_begin()
  %first = call i64 @__falx_work_items_first_x()
  %step = call i64 @__falx_work_items_step_x()
  %count = call i64 @__falx_local_range_x()
  br label %loop
loop:
  %i = phi i64 [ %first, %0 ], [ %next, %loop ]
  store volatile i64 %i, ptr %f
  %next = add i64 %i, %step
  %more = icmp ult i64 %next, %count
  br i1 %more, label %loop, label %end
end:
  call void @__falx_work_items_end()
  ret void
}
