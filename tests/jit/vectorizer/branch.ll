; Where lanes part, both sides run under masks; a side that could fault without lanes is left out if there is none.
; What all lanes agree on stays scalar and keeps its branch.
; RUN: falx-opt --passes=falx-lower-builtins,falx-vectorize -S %s | FileCheck %s

declare i64 @__falx_global_id_x()

; CHECK-LABEL: define internal void @kernel.work_item.lanes(
; CHECK-SAME: <4 x i1> %active)
; CHECK: %limit = load float, ptr %function
; CHECK: %at = getelementptr float, ptr %data, i64 %
; CHECK: %x = call <4 x float> @llvm.masked.load.v4f32.p0(ptr {{.*}}%at, <4 x i1> %active
; CHECK: %[[BELOW:.*]] = fcmp olt <4 x float> %x,
; CHECK: %[[THEN:.*]] = select <4 x i1> %active, <4 x i1> %[[BELOW]], <4 x i1> zeroinitializer
; CHECK: %[[OTHER:.*]] = xor <4 x i1> %[[BELOW]], splat (i1 true)
; CHECK: %[[ELSE:.*]] = select <4 x i1> %active, <4 x i1> %[[OTHER]], <4 x i1> zeroinitializer
; CHECK: bitcast <4 x i1> %[[ELSE]] to i4
; CHECK: br i1 %{{.*}}, label %[[RUNS:.*]], label %join
; CHECK: [[RUNS]]:
; CHECK: load float, ptr %p
; CHECK: select <4 x i1> %[[ELSE]]
; CHECK: join:
; CHECK: call void @llvm.masked.store.v4f32.p0({{.*}}, <4 x i1> %active)
define void @kernel(ptr %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="4" {
entry:
  %id = call i64 @__falx_global_id_x()
  %limit = load float, ptr %f
  %data.field = getelementptr i8, ptr %f, i64 8
  %data = load ptr, ptr %data.field
  %p.field = getelementptr i8, ptr %f, i64 16
  %p = load ptr, ptr %p.field
  %at = getelementptr float, ptr %data, i64 %id
  %x = load float, ptr %at
  %below = fcmp olt float %x, %limit
  br i1 %below, label %then, label %else
then:
  %half = fmul float %x, 0.5
  br label %join
else:
  %other = load float, ptr %p
  br label %join
join:
  %y = phi float [ %half, %then ], [ %other, %else ]
  store float %y, ptr %at
  ret void
}
