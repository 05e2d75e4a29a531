; Private arrays: the lanes' copies of an element lie next to each other, unless their address goes somewhere.
; RUN: falx-opt --passes=falx-lower-builtins,falx-vectorize -S %s | FileCheck %s

declare i64 @__falx_global_id_x()
declare void @elsewhere(ptr)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

; CHECK-LABEL: define internal void @kernel.work_item.lanes(
; CHECK-DAG: %array = alloca [128 x i8], align 64
; CHECK-DAG: %known = alloca [16 x i8], align 4
; CHECK: %[[FIRST:.*]] = getelementptr i8, ptr %array, i64 0
; CHECK: store <4 x i32> {{.*}}, ptr %[[FIRST]], align 4
; CHECK: %[[AT:.*]] = getelementptr i8, ptr %array, i64 112
; CHECK: store <4 x i32> {{.*}}, ptr %[[AT]], align 4
; An index that differs: one base, offsets of 32 bits.
; CHECK: %[[BYTES:.*]] = mul nsw <4 x i32> {{.*}}, splat (i32 4)
; CHECK: %[[OFFSETS:.*]] = add <4 x i32> %[[BYTES]], <i32 0, i32 4, i32 8, i32 12>
; CHECK: %[[WIDE:.*]] = sext <4 x i32> %[[OFFSETS]] to <4 x i64>
; CHECK: %[[PLACES:.*]] = getelementptr i8, ptr %array, <4 x i64> %[[WIDE]]
; CHECK: call <4 x float> @llvm.masked.gather.v4f32.v4p0(<4 x ptr> align 4 %[[PLACES]], <4 x i1> %active
; CHECK: %third = load <4 x float>, ptr %third.at
; CHECK: lane:
; CHECK: call void @elsewhere(
define void @kernel(ptr %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="4" "falx-no-offset" {
  %array = alloca [8 x float]
  %known = alloca float
  %id = call i64 @__falx_global_id_x()
  %data = load ptr, ptr %f
  call void @llvm.memset.p0.i64(ptr %array, i8 0, i64 32, i1 false)
  %at = getelementptr i32, ptr %data, i64 %id
  %index = load i32, ptr %at
  %wide = zext i32 %index to i64
  %place = getelementptr float, ptr %array, i64 %wide
  %x = load float, ptr %place
  %third.at = getelementptr float, ptr %array, i64 3
  %third = load float, ptr %third.at
  %sum = fadd float %x, %third
  store float %sum, ptr %at
  store float %sum, ptr %known
  call void @elsewhere(ptr %known)
  ret void
}
