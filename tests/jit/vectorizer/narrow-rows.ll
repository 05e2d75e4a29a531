; Rows of 4 work-items in vectors of 8: what ids are is known from the linear id. Columns are the same four in each row,
; rows the vector's first and the one behind it, and planes of 8 are of one vector. Rows of 3 are anybody's.
; RUN: split-file %s %t
; RUN: falx-opt -mtriple=x86_64 -mcpu=icelake-server --passes=falx-lower-builtins,falx-split-barriers -S %t/even.ll | FileCheck %s --check-prefix=EVEN
; RUN: falx-opt -mtriple=x86_64 -mcpu=icelake-server --passes=falx-lower-builtins,falx-split-barriers -S %t/odd.ll | FileCheck %s --check-prefix=ODD

; EVEN-LABEL: define internal void @kernel.work_item.lanes(
; EVEN: %[[ID:.*]] = trunc i64 %linear to i32
; EVEN: and i32 %[[ID]], 3
; EVEN: %[[ROWS:.*]] = lshr i32 %[[ID]], 2
; EVEN: and i32 %[[ROWS]], 1
; EVEN: lshr i32 %[[ROWS]], 1
; EVEN: %[[COLUMNS:.*]] = call <8 x float> @llvm.masked.load.v8f32.p0(
; EVEN: shufflevector <8 x float> %[[COLUMNS]], <8 x float> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
; EVEN: shufflevector <8 x float> %{{.*}}, <8 x float> poison, <8 x i32> <i32 0, i32 0, i32 0, i32 0, i32 4, i32 4, i32 4, i32 4>
; EVEN: load float, ptr %plane.at

; ODD-LABEL: define internal void @kernel.work_item.lanes(
; ODD: urem <8 x i32> %{{.*}}, splat (i32 3)
; ODD: %[[ROWS:.*]] = udiv <8 x i32> %{{.*}}, splat (i32 3)
; ODD: and <8 x i32> %[[ROWS]], splat (i32 7)
; ODD-NOT: urem

;--- even.ll
declare i64 @__falx_local_id_x()
declare i64 @__falx_local_id_y()
declare i64 @__falx_local_id_z()

define void @kernel(ptr %f) "falx-kind"="2" "falx-dimensions"="3" "falx-sub-group-size"="8" "falx-local-range"="4,2,5" {
  %x = call i64 @__falx_local_id_x()
  %y = call i64 @__falx_local_id_y()
  %z = call i64 @__falx_local_id_z()
  %data = load ptr, ptr %f
  %column.at = getelementptr float, ptr %data, i64 %x
  %column = load float, ptr %column.at
  %row.first = shl i64 %y, 2
  %row.third = or disjoint i64 %row.first, 2
  %row.at = getelementptr float, ptr %data, i64 %row.third
  %row = load float, ptr %row.at
  %plane.at = getelementptr float, ptr %data, i64 %z
  %plane = load float, ptr %plane.at
  %some = fadd float %column, %row
  %sum = fadd float %some, %plane
  store float %sum, ptr %column.at
  ret void
}

;--- odd.ll
declare i64 @__falx_local_id_x()
declare i64 @__falx_local_id_y()

define void @kernel(ptr %f) "falx-kind"="2" "falx-dimensions"="3" "falx-sub-group-size"="8" "falx-local-range"="3,8,5" {
  %x = call i64 @__falx_local_id_x()
  %y = call i64 @__falx_local_id_y()
  %sum = add i64 %x, %y
  %data = load ptr, ptr %f
  %at = getelementptr i64, ptr %data, i64 %x
  store i64 %sum, ptr %at
  ret void
}
