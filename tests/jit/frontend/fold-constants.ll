; With one work-item per sub-group, the code for wider ones goes away before barriers are split.
; RUN: falx-opt --passes=falx-lower-builtins,falx-fold-constants -S %s | FileCheck %s

declare i32 @__falx_sub_group_max_size()
declare i32 @__falx_sub_group_shuffle_down_u32(i32, i32)
declare void @__falx_work_group_barrier()

; CHECK-LABEL: define internal void @kernel.work_item(
; CHECK-NOT: br
; CHECK: call void @__falx_work_group_barrier()
; CHECK-NOT: __falx_work_group_barrier
; CHECK: ret void
define void @kernel(ptr %f) "falx-kind"="2" "falx-dimensions"="1" {
entry:
  %value = load i32, ptr %f
  %size = call i32 @__falx_sub_group_max_size()
  %scalar = icmp eq i32 %size, 1
  br i1 %scalar, label %one, label %wide
one:
  call void @__falx_work_group_barrier()
  br label %steps
wide:
  call void @__falx_work_group_barrier()
  call void @__falx_work_group_barrier()
  br label %steps
steps:
  %distance = phi i32 [ 1, %one ], [ 1, %wide ], [ %twice, %step ]
  %sum = phi i32 [ %value, %one ], [ %value, %wide ], [ %next, %step ]
  %more = icmp ult i32 %distance, %size
  br i1 %more, label %step, label %end
step:
  %other = call i32 @__falx_sub_group_shuffle_down_u32(i32 %sum, i32 %distance)
  %next = add i32 %sum, %other
  %twice = shl i32 %distance, 1
  br label %steps
end:
  store i32 %sum, ptr %f
  ret void
}
