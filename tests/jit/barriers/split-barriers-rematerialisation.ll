; What is computed from positions is computed again behind a barrier, so that the vectoriser sees what lanes have in common;
; a quotient whose divisor might be 0 waits in the context.
; RUN: falx-opt --passes=falx-lower-builtins,falx-split-barriers -S %s | FileCheck %s

declare i64 @__falx_local_id_x()
declare i32 @__falx_sub_group_id()
declare i32 @__falx_sub_group_local_id()
declare i1 @__falx_sub_groups_in_order()
declare i32 @__falx_sub_group_size()
declare void @__falx_work_group_barrier()

; CHECK-LABEL: define internal { i32 } @kernel.region.1.lanes(
; CHECK-NOT: masked.load
; CHECK: %[[INDEX:.*]] = trunc i64 %{{.*}} to i32
; CHECK: %[[BEGIN:.*]] = mul i32 %[[INDEX]], 24
; CHECK: %[[MOST:.*]] = call i32 @llvm.umin.i32(i32 %[[BEGIN]], i32 100)
; CHECK: udiv i32 %[[MOST]], 3
; CHECK: call <4 x i32> @llvm.masked.load
; CHECK-NOT: masked.load
; Vectors run in order, and groups of 32 have no smaller one.
; CHECK: select i1 true, i32 4, i32 0
; CHECK: attributes {{.*}}"falx-context"="4"
define void @kernel(ptr %f) "falx-kind"="2" "falx-dimensions"="1" "falx-sub-group-size"="4" "falx-local-range"="32,1,1" {
  %id = call i64 @__falx_local_id_x()
  %index = call i32 @__falx_sub_group_id()
  %lane = call i32 @__falx_sub_group_local_id()
  %begin = mul i32 %index, 24
  %most = call i32 @llvm.umin.i32(i32 %begin, i32 100)
  %third = udiv i32 %most, 3
  %data = load ptr, ptr %f
  %value = load i32, ptr %data
  %share = udiv i32 %most, %value
  %in.order = call i1 @__falx_sub_groups_in_order()
  %size = call i32 @__falx_sub_group_size()
  call void @__falx_work_group_barrier()
  %1 = add i32 %third, %lane
  %2 = add i32 %1, %share
  %at = getelementptr i32, ptr %data, i64 %id
  store i32 %2, ptr %at
  %count = select i1 %in.order, i32 %size, i32 0
  %end = getelementptr i32, ptr %data, i64 32
  store i32 %count, ptr %end
  ret void
}
