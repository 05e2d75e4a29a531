; Tests one behind the other, with others than "less": a copy for vectors of which all lanes pass both.
; RUN: falx-opt -mtriple=x86_64-linux-gnu -mcpu=haswell --passes=falx-lower-builtins,falx-interleave,falx-vectorize-range -S %s \
; RUN:   | FileCheck %s

declare i64 @__falx_global_id_x()

; CHECK: outer.whole:
; CHECK: call <8 x float> @llvm.masked.load.v8f32.p0(ptr {{.*}}, <8 x i1> %active,
; CHECK: inner.whole.whole:
; CHECK: call void @llvm.masked.store.v8f32.p0(<8 x float> %{{.*}}, ptr {{.*}}, <8 x i1> %active)
; CHECK-NOT: whole.whole.whole
; Not where all lanes would have to be the same one.
; CHECK-NOT: third.whole
define void @kernel(ptr dereferenceable(24) %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="8" {
entry:
  %data = load ptr, ptr %f
  %n.at = getelementptr i8, ptr %f, i64 8
  %n = load i64, ptr %n.at
  %id = call i64 @__falx_global_id_x()
  %at = getelementptr float, ptr %data, i64 %id
  %is.zero = icmp eq i64 %id, 0
  br i1 %is.zero, label %next, label %outer

outer:
  %more = shl i64 %n, 1
  %x = load float, ptr %at
  %inside = icmp ult i64 %id, %more
  br i1 %inside, label %inner, label %next

inner:
  %y = fmul float %x, 0.5
  store float %y, ptr %at
  br label %next

next:
  %is.n = icmp eq i64 %id, %n
  br i1 %is.n, label %third, label %end

third:
  %there = getelementptr float, ptr %at, i64 9
  store float 1.0, ptr %there
  br label %end

end:
  ret void
}
