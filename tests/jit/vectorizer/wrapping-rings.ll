; A ring, whose size nobody knows: if it is a power of two, large enough, and no lane wraps. By two elements from lane to
; lane it is nothing of the kind, nor with a mask of each lane's own.
; RUN: falx-opt --passes=falx-lower-builtins,falx-vectorize -S %s | FileCheck %s
; CHECK-LABEL: define internal void @ring.work_item.lanes(
; CHECK: %[[FIRST:.*]] = and i32 %index, %mask
; CHECK-NEXT: %[[NEXT:.*]] = add i32 %mask, 1
; CHECK-NEXT: %[[COMMON:.*]] = and i32 %mask, %[[NEXT]]
; CHECK-NEXT: %[[POWER:.*]] = icmp eq i32 %[[COMMON]], 0
; CHECK-NEXT: %[[WIDE:.*]] = icmp uge i32 %mask, 3
; CHECK-NEXT: %[[BOTH:.*]] = and i1 %[[POWER]], %[[WIDE]]
; CHECK-NEXT: %[[LAST:.*]] = sub i32 %mask, 3
; CHECK-NEXT: %[[WITHIN:.*]] = icmp ule i32 %[[FIRST]], %[[LAST]]
; CHECK-NEXT: %[[RING:.*]] = and i1 %[[BOTH]], %[[WITHIN]]
; CHECK-NEXT: %no.lane.wraps = icmp sle i32 %[[FIRST]], 2147483644
; CHECK-NEXT: %[[STAYS:.*]] = and i1 %[[RING]], %no.lane.wraps
; CHECK-NEXT: br i1 %[[STAYS]], label %consecutive
; CHECK: consecutive:
; CHECK: call <4 x i32> @llvm.masked.load
; CHECK: call <4 x i32> @llvm.masked.gather
; CHECK: call <4 x i32> @llvm.masked.gather
; CHECK-NOT: label %consecutive
; CHECK: call <4 x i32> @llvm.masked.gather
declare i64 @__falx_global_id_x()
define void @ring(ptr %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="4" {
  %id = call i64 @__falx_global_id_x()
  %lane = trunc i64 %id to i32
  %data = load ptr, ptr %f
  %start = load i32, ptr %data
  %mask = load i32, ptr %f
  %index = add i32 %start, %lane
  %masked = and i32 %mask, %index
  %wide = sext i32 %masked to i64
  %from = getelementptr i32, ptr %data, i64 %wide
  %x = load i32, ptr %from
  %both = add i64 %wide, %wide
  %from.both = getelementptr i32, ptr %data, i64 %both
  %y = load i32, ptr %from.both
  %own = and i32 %index, %x
  %own.wide = zext i32 %own to i64
  %from.own = getelementptr i32, ptr %data, i64 %own.wide
  %z = load i32, ptr %from.own
  %a = add i32 %x, %y
  %b = add i32 %a, %z
  %out = getelementptr i32, ptr %data, i64 %id
  store i32 %b, ptr %out
  ret void
}
