; Tests against one bound, one behind the other: one copy for vectors of which all lanes pass all of them, in which neighbours are
; accessed together.
; RUN: split-file %s %t
; DEFINE: %{opt} = falx-opt -mtriple=x86_64-linux-gnu -mcpu=haswell -S --passes=falx-lower-builtins,falx-interleave,falx-vectorize-range
; RUN: %{opt} %t/same.ll | FileCheck %t/same.ll
; RUN: %{opt} %t/other.ll | FileCheck %t/other.ll

;--- same.ll
declare i64 @__falx_global_id_x()

; The condition of all of them is computed before the first.
; CHECK-LABEL: @kernel.work_item.lanes(
; CHECK: %pass = and <8 x i1>
; CHECK: load.0.whole:
; Four vectors of memory hold both elements of eight lanes, and are loaded once.
; CHECK-COUNT-4: call <8 x float> @llvm.masked.load.v8f32.p0
; CHECK-NOT: masked.load
; CHECK: br label %middle
; One by one, elsewhere.
; CHECK: load.0:
; CHECK: load.1:
; What the copy and the rest have computed between the tests is used behind them.
; CHECK: middle:
; CHECK: %sum.joined{{.*}} = phi <8 x float>
define void @kernel(ptr dereferenceable(32) %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="8" {
entry:
  %id = call i64 @__falx_global_id_x()
  %first = shl nuw nsw i64 %id, 2
  %n.at = getelementptr i8, ptr %f, i64 16
  %n = load i64, ptr %n.at, !invariant.load !0
  %c0 = icmp slt i64 %first, %n
  br i1 %c0, label %load.0, label %join.0
load.0:
  %a0 = load ptr, ptr %f, !invariant.load !0
  %p0 = getelementptr float, ptr %a0, i64 %first
  %v0 = load float, ptr %p0
  br label %join.0
join.0:
  %w0 = phi float [ %v0, %load.0 ], [ 1.0, %entry ]
  %sum = fadd float %w0, 3.0
  %second = or disjoint i64 %first, 1
  %c1 = icmp slt i64 %second, %n
  br i1 %c1, label %load.1, label %middle
load.1:
  %a1 = load ptr, ptr %f, !invariant.load !0
  %p1 = getelementptr float, ptr %a1, i64 %second
  %v1 = load float, ptr %p1
  br label %middle
middle:
  %w1 = phi float [ %v1, %load.1 ], [ 2.0, %join.0 ]
  %product = fmul float %sum, %w1
  %out.at = getelementptr i8, ptr %f, i64 8
  %out = load ptr, ptr %out.at, !invariant.load !0
  %q = getelementptr float, ptr %out, i64 %id
  store float %product, ptr %q
  ret void
}
!0 = !{}

;--- other.ll
declare i64 @__falx_global_id_x()

; Another bound has another test.
; CHECK-LABEL: @other.work_item.lanes(
; CHECK-NOT: %pass
; CHECK: store.0.whole:
; CHECK: store.1.whole:
; CHECK: ret void
define void @other(ptr dereferenceable(32) %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="8" {
entry:
  %id = call i64 @__falx_global_id_x()
  %n.at = getelementptr i8, ptr %f, i64 16
  %n = load i64, ptr %n.at, !invariant.load !0
  %m.at = getelementptr i8, ptr %f, i64 24
  %m = load i64, ptr %m.at, !invariant.load !0
  %out = load ptr, ptr %f, !invariant.load !0
  %q = getelementptr float, ptr %out, i64 %id
  %c0 = icmp slt i64 %id, %n
  br i1 %c0, label %store.0, label %join
store.0:
  store float 1.0, ptr %q
  br label %join
join:
  %c1 = icmp sge i64 %id, %m
  br i1 %c1, label %store.1, label %end
store.1:
  store float 2.0, ptr %q
  br label %end
end:
  ret void
}
!0 = !{}
