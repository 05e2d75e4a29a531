; Lanes whose addresses are a base and a constant per lane: vectors of memory and permutations.
; RUN: falx-opt -mtriple=x86_64 -mcpu=icelake-server --passes=falx-lower-builtins,falx-vectorize -S %s | FileCheck %s

declare i64 @__falx_global_id_x()

; Lanes 0 to 3 have 0 1 4 5 and, two behind, 2 3 6 7: two whole vectors, loaded once and stored once.
; CHECK-LABEL: define internal void @kernel.work_item.lanes(
; CHECK: %low = and i64 %[[ID:[^ ]+]], 1
; CHECK: %high = and i64 %[[ID]], -2
; CHECK: %[[MASK:.*]] = shufflevector <4 x i1> %active, <4 x i1> zeroinitializer, <4 x i32> <i32 0, i32 1, i32 0, i32 1>
; CHECK: %[[MASK2:.*]] = shufflevector <4 x i1> %active, <4 x i1> zeroinitializer, <4 x i32> <i32 2, i32 3, i32 2, i32 3>
; CHECK: %[[NEXT:.*]] = getelementptr i8, ptr %a.at, i64 16
; CHECK: %[[V0:.*]] = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr align 4 %a.at, <4 x i1> %[[MASK]],
; CHECK: %[[V1:.*]] = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr align 4 %[[NEXT]], <4 x i1> %[[MASK2]],
; CHECK: %[[A:.*]] = shufflevector <4 x i32> %[[V0]], <4 x i32> %[[V1]], <4 x i32> <i32 0, i32 1, i32 4, i32 5>
; CHECK: %[[B:.*]] = shufflevector <4 x i32> %[[V0]], <4 x i32> %[[V1]], <4 x i32> <i32 2, i32 3, i32 6, i32 7>
; CHECK: %[[LEAST:.*]] = call <4 x i32> @llvm.umin.v4i32(<4 x i32> %[[A]], <4 x i32> %[[B]])
; CHECK: %[[MOST:.*]] = call <4 x i32> @llvm.umax.v4i32(<4 x i32> %[[A]], <4 x i32> %[[B]])
; CHECK: %[[W0:.*]] = shufflevector <4 x i32> %[[LEAST]], <4 x i32> %[[MOST]], <4 x i32> <i32 0, i32 1, i32 4, i32 5>
; CHECK: %[[W1:.*]] = shufflevector <4 x i32> %[[LEAST]], <4 x i32> %[[MOST]], <4 x i32> <i32 2, i32 3, i32 6, i32 7>
; CHECK: call void @llvm.masked.store.v4i32.p0(<4 x i32> %[[W0]], ptr align 4 %
; CHECK: call void @llvm.masked.store.v4i32.p0(<4 x i32> %[[W1]], ptr align 4 %
; What a store alone does not write is not touched.
; CHECK: %[[HOLES:.*]] = shufflevector <4 x i1> %active, <4 x i1> zeroinitializer, <4 x i32> <i32 0, i32 1, i32 4, i32 4>
; CHECK: call void @llvm.masked.store.v4i32.p0(<4 x i32> %{{.*}}, ptr align 4 %{{.*}}, <4 x i1> %[[HOLES]])
; Neighbours who read the same element: any of them makes it read.
; CHECK: %[[EVEN:.*]] = shufflevector <4 x i1> %active, <4 x i1> zeroinitializer, <4 x i32> <i32 0, i32 2, i32 4, i32 4>
; CHECK: %[[ODD:.*]] = shufflevector <4 x i1> %active, <4 x i1> zeroinitializer, <4 x i32> <i32 1, i32 3, i32 4, i32 4>
; CHECK: %[[EITHER:.*]] = or <4 x i1> %[[EVEN]], %[[ODD]]
; CHECK: call <4 x i32> @llvm.masked.load.v4i32.p0(ptr align 4 %half.at, <4 x i1> %[[EITHER]],
; CHECK: shufflevector <4 x i32> %{{.*}}, <4 x i32> poison, <4 x i32> <i32 0, i32 0, i32 1, i32 1>
; Neighbours who write the same element: the last one wins, as in any other scatter.
; CHECK: call void @llvm.masked.scatter.v4i32.v4p0(
; CHECK-NOT: masked.gather
define void @kernel(ptr %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="4" "falx-no-offset" {
  %id = call i64 @__falx_global_id_x()
  %data = load ptr, ptr %f
  %low = and i64 %id, 1
  %high = and i64 %id, -2
  %twice = shl i64 %high, 1
  %near = add i64 %twice, %low
  %a.at = getelementptr i32, ptr %data, i64 %near
  %b.at = getelementptr i8, ptr %a.at, i64 8
  %a = load i32, ptr %a.at
  %b = load i32, ptr %b.at
  %least = call i32 @llvm.umin.i32(i32 %a, i32 %b)
  %most = call i32 @llvm.umax.i32(i32 %a, i32 %b)
  store i32 %least, ptr %a.at
  store i32 %most, ptr %b.at
  %c.at = getelementptr i8, ptr %a.at, i64 4096
  store i32 %least, ptr %c.at
  %half = lshr i64 %id, 1
  %half.at = getelementptr i32, ptr %data, i64 %half
  %h = load i32, ptr %half.at
  store i32 %h, ptr %half.at
  ret void
}
