; A region whose work-items find each other by their ids and a distance: copies for the distances 1 and 2, one for
; multiples of the number of lanes, and the region as it was. All decide on one of them together.
; RUN: falx-opt --passes=falx-lower-builtins,falx-split-barriers -S %s | FileCheck %s

declare i64 @__falx_local_id_x()
declare void @__falx_work_group_barrier()

; CHECK-LABEL: define internal i32 @kernel.region.1.version(
; CHECK-SAME: i64 %[[DISTANCE:[0-9]+]])
; CHECK: %[[REST:.*]] = and i64 %[[DISTANCE]], 3
; CHECK: %[[IS:.*]] = icmp eq i64 %[[REST]], 0
; CHECK: %[[MULTIPLE:.*]] = select i1 %[[IS]], i32 2, i32 3
; CHECK: icmp eq i64 %[[DISTANCE]], 1
; CHECK: %[[ONE:.*]] = select i1 %{{.*}}, i32 0, i32 %[[MULTIPLE]]
; CHECK: icmp eq i64 %[[DISTANCE]], 2
; CHECK: %[[TWO:.*]] = select i1 %{{.*}}, i32 1, i32 %[[ONE]]
; CHECK: freeze i32 %[[TWO]]

; As it was.
; CHECK-LABEL: define internal { i32{{.*}} } @kernel.region.1.lanes(
; CHECK: masked.gather
; One apart: neighbours change places.
; CHECK-LABEL: define internal { i32{{.*}} } @kernel.region.1.{{[0-9]+}}.lanes(
; CHECK: shufflevector <4 x i32> %{{.*}}, <4 x i32> poison, <4 x i32> <i32 1, i32 0, i32 3, i32 2>
; CHECK-NOT: masked.gather
; CHECK-LABEL: define internal { i32{{.*}} } @kernel.region.1.{{[0-9]+}}.lanes(
; CHECK: shufflevector <4 x i32> %{{.*}}, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 1>
; CHECK-NOT: masked.gather
; Another vector's lanes, side by side.
; CHECK-LABEL: define internal { i32{{.*}} } @kernel.region.1.{{[0-9]+}}.lanes(
; CHECK: %multiple = and i64 %{{.*}}, -4
; CHECK-NOT: masked.gather
; CHECK-LABEL: define internal { i32{{.*}} } @kernel.region.2.lanes(
; CHECK-LABEL: define internal void @kernel.group(
; CHECK: %version = call i32 @kernel.region.1.version(
; CHECK: switch i32 %version, label %any [
; CHECK-NEXT: i32 0, label %version.0
; CHECK-NEXT: i32 1, label %version.1
; CHECK-NEXT: i32 2, label %version.2
; CHECK-NEXT: ]
define void @kernel(ptr %f) "falx-kind"="2" "falx-dimensions"="1" "falx-sub-group-size"="4" "falx-local-range"="64,1,1" {
  %data = load ptr, ptr %f
  %f.8 = getelementptr i8, ptr %f, i64 8
  %greatest = load i64, ptr %f.8
  %id = call i64 @__falx_local_id_x()
  %own = getelementptr i32, ptr %data, i64 %id
  br label %loop
loop:
  %distance = phi i64 [ %greatest, %0 ], [ %distance.next, %loop ]
  call void @__falx_work_group_barrier()
  %other = xor i64 %id, %distance
  %other.at = getelementptr i32, ptr %data, i64 %other
  %x = load i32, ptr %other.at
  call void @__falx_work_group_barrier()
  store i32 %x, ptr %own
  %distance.next = lshr i64 %distance, 1
  %done = icmp eq i64 %distance.next, 0
  br i1 %done, label %end, label %loop
end:
  ret void
}
