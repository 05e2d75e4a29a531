; A loop with known iterations over a private variable goes, and with it the variable; a loop with a barrier stays.
; RUN: falx-opt --passes=falx-lower-builtins,falx-unroll-constant-loops -S %s | FileCheck %s

declare i64 @__falx_global_id_x()
declare void @__falx_work_group_barrier() convergent

; CHECK-LABEL: define internal void @kernel.work_item(
; CHECK-NOT: alloca
; CHECK: getelementptr float, ptr {{.*}}, i64 %index.x
; CHECK-COUNT-1: call void @__falx_work_group_barrier
; CHECK-NOT: call void @__falx_work_group_barrier
define void @kernel(ptr %f) "falx-kind"="2" "falx-dimensions"="1" "falx-sub-group-size"="4" {
entry:
  %item = alloca [3 x i64]
  %id = call i64 @__falx_global_id_x()
  store i64 %id, ptr %item
  br label %clear
clear:
  %n = phi i64 [ 1, %entry ], [ %n.next, %clear ]
  %at = getelementptr i64, ptr %item, i64 %n
  store i64 0, ptr %at
  %n.next = add i64 %n, 1
  %cleared = icmp eq i64 %n.next, 3
  br i1 %cleared, label %work, label %clear
work:
  %data = load ptr, ptr %f
  %x = load i64, ptr %item
  %to = getelementptr float, ptr %data, i64 %x
  br label %wait
wait:
  %step = phi i32 [ 0, %work ], [ %step.next, %wait ]
  %old = load float, ptr %to
  %new = fadd float %old, 1.0
  store float %new, ptr %to
  call void @__falx_work_group_barrier()
  %step.next = add i32 %step, 1
  %done = icmp eq i32 %step.next, 2
  br i1 %done, label %end, label %wait
end:
  ret void
}
