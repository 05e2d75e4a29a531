; A launch whose range is known: extents and numbers of groups are constants, and an id that is checked against the
; range is not checked. Group ids have exact bounds.
; RUN: falx-opt --passes=falx-index-ranges,falx-simplify,falx-lower-builtins -S %s | FileCheck %s

declare i64 @__falx_global_id_x()
declare i64 @__falx_global_range_x()
declare i64 @__falx_global_range_y()
declare i64 @__falx_group_range_x()
declare i64 @__falx_group_id_x()

; CHECK-LABEL: define internal void @kernel.work_item(
; CHECK-SAME: i64 range(i64 0, 25) %group.x
; CHECK-NOT: icmp
; CHECK-NOT: br i1
; CHECK: store volatile i64 400, ptr %data
; CHECK: store volatile i64 7, ptr %p1
; CHECK: store volatile i64 25, ptr %p2
; CHECK-NOT: icmp
; CHECK: ret void
define void @kernel(ptr dereferenceable(8) %f) "falx-kind"="2" "falx-dimensions"="2" "falx-local-range"="16,1,1" "falx-global-range"="400,7,1" "falx-no-offset" {
  %data = load ptr, ptr %f, align 8
  %id = call i64 @__falx_global_id_x()
  %x = call i64 @__falx_global_range_x()
  %is_item = icmp ult i64 %id, %x
  br i1 %is_item, label %work, label %done
work:
  store volatile i64 %x, ptr %data
  %y = call i64 @__falx_global_range_y()
  %p1 = getelementptr i8, ptr %data, i64 8
  store volatile i64 %y, ptr %p1
  %groups = call i64 @__falx_group_range_x()
  %p2 = getelementptr i8, ptr %data, i64 16
  store volatile i64 %groups, ptr %p2
  %group = call i64 @__falx_group_id_x()
  %p3 = getelementptr i8, ptr %data, i64 24
  store volatile i64 %group, ptr %p3
  br label %done
done:
  ret void
}
