; A loop with a barrier that runs once is no loop, and what it indexes no variable.
; RUN: falx-opt --passes=falx-lower-builtins,falx-unroll-constant-loops -S %s | FileCheck %s

declare i64 @__falx_global_id_x()
declare void @__falx_work_group_barrier() convergent

; CHECK-LABEL: define internal void @kernel.work_item(
; CHECK-NOT: alloca
; CHECK: store i64 %{{[0-9]+}}, ptr %function
; CHECK-NEXT: call void @__falx_work_group_barrier
; CHECK-NEXT: ret void
define void @kernel(ptr %f) "falx-kind"="2" "falx-dimensions"="1" "falx-sub-group-size"="4" {
entry:
  %values = alloca [2 x i64]
  %id = call i64 @__falx_global_id_x()
  store i64 %id, ptr %values
  br label %loop
loop:
  %n = phi i64 [ 0, %entry ], [ %n.next, %body ]
  %at = getelementptr i64, ptr %values, i64 %n
  %again = icmp ult i64 %n, 1
  br i1 %again, label %body, label %end
body:
  %value = load i64, ptr %at
  store i64 %value, ptr %f
  call void @__falx_work_group_barrier()
  %n.next = add i64 %n, 1
  br label %loop
end:
  ret void
}
