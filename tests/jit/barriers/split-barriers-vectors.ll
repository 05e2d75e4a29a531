; Vectors of a program's own that a barrier lies between wait as numbers, also what all work-items agree on, which
; regions return: of kernel 14011 of seed 4242.
; RUN: falx-opt --passes=falx-lower-builtins,falx-split-barriers -S %s | FileCheck %s

declare i64 @__falx_local_id_x()
declare void @__falx_work_group_barrier()

; CHECK-LABEL: define internal { i32, i32, i32 } @kernel.region.0.lanes(
; CHECK-DAG: %slot = getelementptr [4 x i8], ptr
; CHECK-DAG: %slot1 = getelementptr [4 x i8], ptr
; Both elements of all lanes are loaded together: what is kept is stored behind, not between.
; CHECK-COUNT-2: call <4 x i32> @llvm.masked.load.v4i32
; CHECK: %[[FIRST:.*]] = shufflevector {{.*}} <i32 0, i32 2, i32 4, i32 6>
; CHECK: %[[SECOND:.*]] = shufflevector {{.*}} <i32 1, i32 3, i32 5, i32 7>
; CHECK-NOT: @llvm.masked.load
; CHECK: call void @llvm.masked.store.v4i32.p0(<4 x i32> %[[FIRST]], ptr align 4 %slot, <4 x i1> %active)
; CHECK: call void @llvm.masked.store.v4i32.p0(<4 x i32> %[[SECOND]], ptr align 4 %slot1, <4 x i1> %active)
; CHECK: %[[ONE:.*]] = insertvalue { i32, i32, i32 } { i32 1, i32 poison, i32 poison }, i32 %size, 1
; CHECK: insertvalue { i32, i32, i32 } %[[ONE]], i32 %product, 2

; CHECK-LABEL: define internal { i32, i32, i32 } @kernel.region.1.lanes(
; CHECK-SAME: i32 %[[SIZE:[0-9]+]], i32 %[[PRODUCT:[0-9]+]],
; CHECK: insertelement <4 x i32> poison, i32 %[[SIZE]], i64 0
; CHECK: insertelement <4 x i32> poison, i32 %[[PRODUCT]], i64 0
define void @kernel(ptr %f) "falx-kind"="2" "falx-dimensions"="1" "falx-sub-group-size"="4" {
  %id = call i64 @__falx_local_id_x()
  %data = load ptr, ptr %f, !invariant.load !0
  %size = load i32, ptr %data
  %at = getelementptr <2 x i32>, ptr %data, i64 %id
  %varying = load <2 x i32>, ptr %at
  %product = mul i32 %size, %size
  %first = insertelement <2 x i32> poison, i32 %size, i64 0
  %uniform = insertelement <2 x i32> %first, i32 %product, i64 1
  call void @__falx_work_group_barrier()
  %sum = add <2 x i32> %varying, %uniform
  store <2 x i32> %sum, ptr %at
  ret void
}

!0 = !{}
