; Where a loop waits for its own results several sub-groups run as one vector. What does not fill it goes one
; sub-group at a time, under a mask.
; RUN: falx-opt --passes=falx-lower-builtins,falx-vectorize-range,falx-kernel-function -S %s | FileCheck %s

declare i64 @__falx_global_id_x()

; CHECK-LABEL: define internal void @kernel(
; CHECK: udiv i64 %size, 8
; CHECK: box.x:
; CHECK: call void @kernel.work_item.lanes({{.*}}, <8 x i1> splat (i1 true))
; CHECK: %[[REST:.*]] = add nuw i64 %{{.*}}, 3
; CHECK: udiv i64 %[[REST]], 4
; CHECK: rest.x:
; CHECK: %[[LEFT:.*]] = call i64 @llvm.umin.i64(i64 %{{.*}}, i64 4)
; CHECK: %[[COUNT:.*]] = trunc i64 %[[LEFT]] to i8
; CHECK: %active = icmp ult <4 x i8> <i8 0, i8 1, i8 2, i8 3>
; CHECK: call void @kernel.work_item.rest.lanes({{.*}}, <4 x i1> %active)
define void @kernel(ptr %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="4" "falx-lanes"="8" {
  %id = call i64 @__falx_global_id_x()
  %data = load ptr, ptr %f
  %at = getelementptr float, ptr %data, i64 %id
  store float 1.0, ptr %at
  ret void
}
