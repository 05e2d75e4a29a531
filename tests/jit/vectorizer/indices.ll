; What integer operations leave of consecutive ids: vectors begin at multiples of their size, so lanes share
; the bits above.
; RUN: falx-opt --passes=falx-lower-builtins,falx-vectorize -S %s | FileCheck %s

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
; Where lanes differ in the bits concerned, each keeps its distance from lane 0.
; CHECK: %near = xor i64 %[[ID]], 1
; CHECK: shufflevector <4 x float> %{{.*}}, <4 x float> poison, <4 x i32> <i32 1, i32 0, i32 3, i32 2>
; CHECK: %half = lshr i64 %[[ID]], 1
; CHECK: shufflevector <4 x float> %{{.*}}, <4 x float> poison, <4 x i32> <i32 0, i32 0, i32 1, i32 1>
; Of bits that nobody knows they may keep any.
; CHECK: %unknown = and <4 x i64>
; CHECK: call <4 x float> @llvm.masked.gather
; All are below a multiple of four, or none is.
; CHECK: %below = icmp ult i64 %column, 64
; CHECK: %above = icmp sgt i64 %column, 31
; CHECK: %below.unaligned = icmp ult <4 x i64> %{{.*}}, splat (i64 66)
; CHECK: call void @llvm.masked.store.v4f32.p0(<4 x float> %{{.*}}, ptr align 4 %out.at
; Rows of 12 hold whole vectors, too; those of 10 do not.
; CHECK: %row.of.12 = udiv i64 %[[ID]], 12
; CHECK: %column.of.12 = urem i64 %[[ID]], 12
; CHECK: call <4 x float> @llvm.masked.load.v4f32.p0(ptr align 4 %column.of.12.at
; CHECK: load float, ptr %row.of.12.at
; CHECK: br i1 %{{.*}}, label %one.quotient, label %quotients
; Bits that are disjoint make a sum that does not wrap.
; CHECK: %odd = add i32 %twice, 1
; CHECK: %odd.at = getelementptr float, ptr %data, i64 %odd.wide
; CHECK: fmul <4 x double> %{{.*}}, splat (double 0x3FB999999999999B)
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
  %bits = load i64, ptr %data
  %unknown = and i64 %id, %bits
  %unknown.at = getelementptr float, ptr %data, i64 %unknown
  %in.unknown = load float, ptr %unknown.at
  %below = icmp ult i64 %column, 64
  %above = icmp sgt i64 %column, 31
  %below.unaligned = icmp ult i64 %column, 66
  %between = and i1 %below, %above
  %or = or i1 %between, %below.unaligned
  %number = zext i1 %or to i32
  store i32 %number, ptr %unknown.at
  %1 = fadd float %in.row, %in.unknown
  %2 = fadd float %1, %in.far
  %3 = fadd float %2, %in.wide
  %4 = fadd float %3, %in.near
  %5 = fadd float %4, %in.half
  %out = add i64 %row.start, %column
  %out.at = getelementptr float, ptr %data, i64 %out
  store float %5, ptr %out.at
  %row.of.12 = udiv i64 %id, 12
  %column.of.12 = urem i64 %id, 12
  %column.of.12.at = getelementptr float, ptr %data, i64 %column.of.12
  %in.column.of.12 = load float, ptr %column.of.12.at
  %row.of.12.at = getelementptr float, ptr %data, i64 %row.of.12
  %in.row.of.12 = load float, ptr %row.of.12.at
  %6 = fadd float %in.column.of.12, %in.row.of.12
  %column.of.10 = urem i64 %id, 10
  %column.of.10.at = getelementptr float, ptr %data, i64 %column.of.10
  store float %6, ptr %column.of.10.at
  %twice = shl nuw nsw i32 %narrow, 1
  %odd = or disjoint i32 %twice, 1
  %odd.wide = sext i32 %odd to i64
  %odd.at = getelementptr float, ptr %data, i64 %odd.wide
  %in.odd = load float, ptr %odd.at
  store float %in.odd, ptr %out.at
  ret void
}
