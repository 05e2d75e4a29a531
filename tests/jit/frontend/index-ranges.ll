; Ids that are known to be below 2^31 need no conversions to int and back, and products with known ranges no masks.
; RUN: falx-opt --passes=falx-index-ranges,falx-simplify,falx-lower-builtins -S %s | FileCheck %s
; RUN: falx-opt --passes=falx-simplify,falx-lower-builtins -S %s | FileCheck --check-prefix=UNKNOWN %s

declare i64 @__falx_global_id_x()
declare i64 @__falx_group_id_x()
declare i64 @__falx_local_range_x()
declare i64 @__falx_local_id_x()

; CHECK-LABEL: define internal void @kernel.work_item(
; CHECK-SAME: i64 range(i64 0, 64) %index.x
; CHECK-SAME: i64 range(i64 0, 33554431) %group.x
; CHECK-NOT: ashr
; CHECK-NOT: sext
; CHECK-NOT: and i64
; Bits of an index, too, are an index.
; CHECK: store i8 0
; CHECK: %[[BITS:.*]] = load i32
; CHECK: %[[WIDE:.*]] = zext i32 %[[BITS]] to i64
; CHECK: and i64 %{{.*}}, %[[WIDE]]
; CHECK-NOT: zext
; CHECK: ret void
; UNKNOWN: ashr
define void @kernel(ptr %f) "falx-kind"="2" "falx-dimensions"="1" "falx-local-range"="64,1,1" "falx-narrow" "falx-no-offset" {
  %data = load ptr, ptr %f
  %id = call i64 @__falx_global_id_x()
  %i = trunc i64 %id to i32
  %next = add nsw i32 %i, 1
  %index = sext i32 %next to i64
  %at = getelementptr float, ptr %data, i64 %index
  store float 0.0, ptr %at
  %group = call i64 @__falx_group_id_x()
  %range = call i64 @__falx_local_range_x()
  %local = call i64 @__falx_local_id_x()
  %begin = mul i64 %group, %range
  %sum = add i64 %begin, %local
  %unsigned = trunc i64 %sum to i32
  %wide = zext i32 %unsigned to i64
  %to = getelementptr i8, ptr %data, i64 %wide
  store i8 0, ptr %to
  %bits = load i32, ptr %data
  %l = trunc i64 %local to i32
  %masked = and i32 %l, %bits
  %far = add i32 %masked, 3
  %far.wide = zext i32 %far to i64
  %far.to = getelementptr i16, ptr %data, i64 %far.wide
  store i16 0, ptr %far.to
  ret void
}
