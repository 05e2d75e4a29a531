; What the launch says goes to where the kernel asks for it.
; RUN: split-file %s %t
; RUN: falx-opt --passes=falx-launch-values %t/set.ll | FileCheck %t/set.ll
; RUN: not falx-opt --passes=falx-launch-values %t/scratch.ll 2>&1 | FileCheck %t/scratch.ll
; RUN: not falx-opt --passes=falx-launch-values %t/barrier.ll 2>&1 | FileCheck %t/barrier.ll

;--- set.ll
; CHECK: define void @kernel(
define void @kernel(ptr dereferenceable(16) %f) "falx-kind"="2" "falx-dimensions"="1" {
; CHECK-NEXT: %offset = load i64, ptr %f
  %offset = load i64, ptr %f, align 8
  call void @__falx_set_launch_value(i32 0, i64 %offset)
  call void @__falx_set_launch_value(i32 1, i64 5)
; CHECK-NEXT: %sum = add i64 %offset, 5
  %a = call i64 @__falx_launch_value(i32 0)
  %b = call i64 @__falx_launch_value(i32 1)
  %sum = add i64 %a, %b
; CHECK-NEXT: store i64 %sum
  store i64 %sum, ptr %f, align 8
; CHECK-NEXT: ret void
  ret void
}
declare void @__falx_set_launch_value(i32, i64)
declare i64 @__falx_launch_value(i32)

;--- scratch.ll
; CHECK: Kernel 'kernel' calls get_work_group_scratch_memory, but its launch has no property work_group_scratch_size.
define void @kernel(ptr dereferenceable(16) %f) "falx-kind"="2" "falx-dimensions"="1" {
  %a = call i64 @__falx_launch_value(i32 0)
  store i64 %a, ptr %f, align 8
  ret void
}
declare i64 @__falx_launch_value(i32)

;--- barrier.ll
; CHECK: Kernel 'kernel' waits at a group_barrier of its root_group, but its launch has no property use_root_sync.
define void @kernel(ptr dereferenceable(16) %f) "falx-kind"="2" "falx-dimensions"="1" {
  %a = call i64 @__falx_launch_value(i32 1)
  store i64 %a, ptr %f, align 8
  ret void
}
declare i64 @__falx_launch_value(i32)
