; What integer operations leave of consecutive ids: vectors begin at multiples of their size, so lanes share
; the bits above.
; RUN: falx-opt --passes=lower-builtins,vectorize -S %s | FileCheck %s

declare i64 @__falx_global_id_x()

; CHECK-LABEL: define internal void @kernel.work_item.lanes(
; CHECK: %column = and i64 %[[ID:[^ ]+]], 255
; CHECK: %row = lshr i64 %[[ID]], 8
; CHECK: %row.start = and i64 %[[ID]], -256
; CHECK: load float, ptr %row.at
; CHECK: call <4 x float> @llvm.masked.load.v4f32.p0(ptr align 4 %column.at
; CHECK: %far = xor i64 %[[ID]], 64
; CHECK: call <4 x float> @llvm.masked.load.v4f32.p0(ptr align 4 %far.at
; CHECK: %narrow = trunc i64 %[[ID]] to i32
; CHECK: %wide = zext i32 %narrow to i64
; CHECK: call <4 x float> @llvm.masked.load.v4f32.p0(ptr align 4 %wide.at
; Lanes that differ in the bits concerned are gathered.
; CHECK: %near = xor <4 x i64>
; CHECK: call <4 x float> @llvm.masked.gather
; CHECK: %half = lshr <4 x i64>
; CHECK: call <4 x float> @llvm.masked.gather
; CHECK: call void @llvm.masked.store.v4f32.p0(<4 x float> %{{.*}}, ptr align 4 %out.at
define void @kernel(ptr %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="4" "falx-no-offset" {
  %id = call i64 @__falx_global_id_x()
  %data = load ptr, ptr %f
  %column = and i64 %id, 255
  %row = lshr i64 %id, 8
  %row.start = and i64 %id, -256
  %row.at = getelementptr float, ptr %data, i64 %row
  %in.row = load float, ptr %row.at
  %column.at = getelementptr float, ptr %data, i64 %column
  %in.column = load float, ptr %column.at
  %far = xor i64 %id, 64
  %far.at = getelementptr float, ptr %data, i64 %far
  %in.far = load float, ptr %far.at
  %narrow = trunc i64 %id to i32
  %wide = zext i32 %narrow to i64
  %wide.at = getelementptr float, ptr %data, i64 %wide
  %in.wide = load float, ptr %wide.at
  %near = xor i64 %id, 1
  %near.at = getelementptr float, ptr %data, i64 %near
  %in.near = load float, ptr %near.at
  %half = lshr i64 %id, 1
  %half.at = getelementptr float, ptr %data, i64 %half
  %in.half = load float, ptr %half.at
  %1 = fadd float %in.row, %in.column
  %2 = fadd float %1, %in.far
  %3 = fadd float %2, %in.wide
  %4 = fadd float %3, %in.near
  %5 = fadd float %4, %in.half
  %out = add i64 %row.start, %column
  %out.at = getelementptr float, ptr %data, i64 %out
  store float %5, ptr %out.at
  ret void
}
