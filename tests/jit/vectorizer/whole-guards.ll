; Code that lanes come to in order has a copy for vectors of which all lanes come there, without masks, where masks cost.
; RUN: falx-opt -mtriple=x86_64-linux-gnu -mcpu=haswell -S %s \
; RUN:   --passes='falx-lower-builtins,falx-interleave,falx-vectorize-range,falx-kernel-function,always-inline,default<O2>' | FileCheck %s
; RUN: falx-opt -mtriple=x86_64-linux-gnu -mcpu=haswell --passes=falx-lower-builtins,falx-interleave,falx-vectorize-range -S %s \
; RUN:   | FileCheck %s --check-prefix=FORM
; Masks of AVX-512 cost nothing.
; RUN: falx-opt -mtriple=x86_64-linux-gnu -mcpu=skylake-avx512 --passes=falx-lower-builtins,falx-interleave,falx-vectorize-range -S %s \
; RUN:   | FileCheck %s --check-prefix=FREE

declare i64 @__falx_global_id_x()

; FORM-LABEL: @kernel.work_item.lanes(
; FORM: %[[NONE:.*]] = xor i1 %{{.*}}, true
; FORM-NEXT: br i1 %[[NONE]], label %entry.way, label %entry.way{{[0-9]+}}
; FORM: body.whole:
; FORM: call <8 x float> @llvm.masked.load.v8f32.p0(ptr {{.*}}, <8 x i1> %active,
; FORM: call void @llvm.masked.store.v8f32.p0(<8 x float> %{{.*}}, ptr {{.*}}, <8 x i1> %active)
; The data decides about the rest: that has no copy of its own.
; FORM-NOT: {{^}}large.whole.whole
; Few vectors are left that have lanes there: the others pass by.
; FORM: {{^}}body.any:
; FORM: {{^}}body:
; FORM: call void @llvm.masked.store.v8f32.p0(<8 x float> %{{.*}}, ptr {{.*}}, <8 x i1> %{{[0-9]+}})

; FREE-NOT: .whole

; Both forms: stores without a mask, and with one.
; CHECK-LABEL: @kernel(
; CHECK: store <8 x float>
; CHECK: call void @llvm.masked.store.v8f32.p0

define void @kernel(ptr dereferenceable(24) %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="8" {
entry:
  %data = load ptr, ptr %f
  %n.at = getelementptr i8, ptr %f, i64 8
  %n = load i64, ptr %n.at
  %m.at = getelementptr i8, ptr %f, i64 16
  %m = load i64, ptr %m.at
  %id = call i64 @__falx_global_id_x()
  %inside = icmp slt i64 %id, %n
  %above = icmp sge i64 %id, %m
  %both = and i1 %inside, %above
  br i1 %both, label %body, label %end

body:
  %at = getelementptr float, ptr %data, i64 %id
  %x = load float, ptr %at
  %y = fmul float %x, 0.5
  store float %y, ptr %at
  %is.large = fcmp ogt float %x, 1.0
  br i1 %is.large, label %large, label %end

large:
  %next = getelementptr float, ptr %at, i64 1000
  store float %x, ptr %next
  br label %end

end:
  ret void
}
