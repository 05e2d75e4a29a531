; A basic range has no groups: the index is the work-item, barriers vanish, what a dimension lacks is constant.
; RUN: falx-opt --passes=falx-lower-builtins -S %s | FileCheck %s

declare i64 @__falx_global_id_x()
declare i64 @__falx_global_id_z()
declare i64 @__falx_local_id_x()
declare void @__falx_work_group_barrier()
declare void @use(i64, i64)

; CHECK-LABEL: define internal void @kernel.work_item(
; CHECK-NOT: barrier
; CHECK: %[[X:.*]] = add nuw nsw i64 %index.x, %global.offset.x
; CHECK: %[[Z:.*]] = add nuw nsw i64 0, 0
; CHECK: call void @use(i64 %[[X]], i64 %[[Z]])
define void @kernel(ptr %f) "falx-kind"="1" "falx-dimensions"="2" {
  %x = call i64 @__falx_global_id_x()
  %z = call i64 @__falx_global_id_z()
  call void @__falx_work_group_barrier()
  call void @use(i64 %x, i64 %z)
  ret void
}
