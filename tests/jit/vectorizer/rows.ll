; Rows of 4 in vectors of 8: two accesses side by side each, where the distance of rows is not known before the launch.
; RUN: falx-opt --passes=falx-lower-builtins,falx-split-barriers -S %s | FileCheck %s

declare i64 @__falx_global_id_x()
declare i64 @__falx_global_id_y()

; CHECK-LABEL: define internal void @kernel.work_item.lanes(
; Both rows' addresses are numbers.
; CHECK: %[[FIRST_ROW:.*]] = mul i64 %{{.*}}, %width
; CHECK: %[[FIRST:.*]] = getelementptr float, ptr %data, i64 %{{.*}}
; CHECK: %[[FIRST_LANES:.*]] = shufflevector <8 x i1> %active, <8 x i1> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
; CHECK: %[[ONE:.*]] = call <4 x float> @llvm.masked.load.v4f32.p0(ptr align 4 %[[FIRST]], <4 x i1> %[[FIRST_LANES]], <4 x float> zeroinitializer)
; CHECK: %[[SECOND_Y:.*]] = add i64 %{{.*}}, 1
; CHECK: %[[SECOND_ROW:.*]] = mul i64 %[[SECOND_Y]], %width
; CHECK: %[[SECOND:.*]] = getelementptr float, ptr %data, i64 %{{.*}}
; CHECK: %[[SECOND_LANES:.*]] = shufflevector <8 x i1> %active, <8 x i1> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
; CHECK: %[[OTHER:.*]] = call <4 x float> @llvm.masked.load.v4f32.p0(ptr align 4 %[[SECOND]], <4 x i1> %[[SECOND_LANES]], <4 x float> zeroinitializer)
; CHECK: shufflevector <4 x float> %[[ONE]], <4 x float> %[[OTHER]], <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
; The same way back.
; CHECK: %[[LOW:.*]] = shufflevector <8 x float> %more, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
; CHECK: call void @llvm.masked.store.v4f32.p0(<4 x float> %[[LOW]]
; CHECK: %[[HIGH:.*]] = shufflevector <8 x float> %more, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
; CHECK: call void @llvm.masked.store.v4f32.p0(<4 x float> %[[HIGH]]
; Columns of a transposed matrix stay what they are, as do numbers of 32 bits that may wrap.
; CHECK: call <8 x float> @llvm.masked.gather
; CHECK: call void @llvm.masked.scatter
; CHECK-NOT: llvm.masked
; CHECK: ret void
define void @kernel(ptr %f) "falx-kind"="2" "falx-dimensions"="2" "falx-sub-group-size"="8" "falx-local-range"="4,4,1" "falx-masked-operations" "falx-no-offset" {
  %x = call i64 @__falx_global_id_x()
  %y = call i64 @__falx_global_id_y()
  %data = load ptr, ptr %f, !invariant.load !0
  %width.at = getelementptr i8, ptr %f, i64 8
  %width = load i64, ptr %width.at, !invariant.load !0
  %row = mul i64 %y, %width
  %i = add nuw i64 %row, %x
  %at = getelementptr inbounds float, ptr %data, i64 %i
  %value = load float, ptr %at
  %more = fadd float %value, 1.0
  store float %more, ptr %at
  %column = mul i64 %x, %width
  %j = add i64 %column, %y
  %from = getelementptr float, ptr %data, i64 %j
  %turned = load float, ptr %from
  %narrow.y = trunc i64 %y to i32
  %narrow.width = trunc i64 %width to i32
  %narrow.row = mul i32 %narrow.y, %narrow.width
  %narrow.x = trunc i64 %x to i32
  %k = add i32 %narrow.row, %narrow.x
  %wide.k = zext i32 %k to i64
  %to = getelementptr float, ptr %data, i64 %wide.k
  store float %turned, ptr %to
  ret void
}

!0 = !{}
