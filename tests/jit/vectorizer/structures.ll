; Members of one structure per lane: consecutive memory and shuffles, done together.
; RUN: falx-opt -mtriple=x86_64 -mcpu=icelake-server --passes=falx-lower-builtins,falx-vectorize -S %s | FileCheck %s

declare i64 @__falx_global_id_x()

; All of x, y, z: three whole vectors, loaded once and stored once.
; CHECK-LABEL: define internal void @kernel.work_item.lanes(
; CHECK-COUNT-3: call <4 x float> @llvm.masked.load.v4f32.p0(
; CHECK-NOT: masked.load.v4f32
; CHECK: fmul <4 x float>
; Two of four: elements between members are read, those behind the last lane's are not, none is written.
; CHECK: %[[NEXT:.*]] = shufflevector <4 x i1> %active, <4 x i1> zeroinitializer, <4 x i32> <i32 1, i32 2, i32 3, i32 7>
; CHECK: %[[BOTH:.*]] = and <4 x i1> %active, %[[NEXT]]
; CHECK: shufflevector <4 x i1> %active, <4 x i1> %[[BOTH]], <4 x i32> <i32 0, i32 0, i32 0, i32 4>
; CHECK-COUNT-4: call <4 x i32> @llvm.masked.load.v4i32.p0(
; CHECK-COUNT-3: call void @llvm.masked.store.v4f32.p0(
; CHECK: shufflevector <4 x i1> %active, <4 x i1> zeroinitializer, <4 x i32> <i32 0, i32 4, i32 0, i32 4>
; CHECK-COUNT-4: call void @llvm.masked.store.v4i32.p0(
; CHECK-NOT: masked.store.v4
; CHECK: ret void
define void @kernel(ptr %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="4" "falx-no-offset" {
  %id = call i64 @__falx_global_id_x()
  %in = load ptr, ptr %f
  %out.at = getelementptr i8, ptr %f, i64 8
  %out = load ptr, ptr %out.at, !invariant.load !0
  %point = getelementptr { float, float, float }, ptr %in, i64 %id
  %x = load float, ptr %point
  %y.at = getelementptr i8, ptr %point, i64 4
  %y = load float, ptr %y.at
  %z.at = getelementptr i8, ptr %point, i64 8
  %z = load float, ptr %z.at
  %xx = fmul float %x, %z
  %yy = fmul float %y, %y
  %zz = fmul float %z, 2.0
  %four = mul i64 %id, 4
  %pair.x.at = getelementptr i32, ptr %in, i64 %four
  %pair.x = load i32, ptr %pair.x.at
  %four.2 = or disjoint i64 %four, 2
  %pair.z.at = getelementptr i32, ptr %in, i64 %four.2
  %pair.z = load float, ptr %pair.z.at
  %to = getelementptr { float, float, float }, ptr %out, i64 %id
  store float %xx, ptr %to
  %to.y = getelementptr i8, ptr %to, i64 4
  store float %yy, ptr %to.y
  %to.z = getelementptr i8, ptr %to, i64 8
  store float %zz, ptr %to.z
  %pair.to = getelementptr i32, ptr %out, i64 %four
  store i32 %pair.x, ptr %pair.to
  %pair.to.z = getelementptr i32, ptr %out, i64 %four.2
  store float %pair.z, ptr %pair.to.z
  ret void
}
!0 = !{}

