; What an address is a sum of does not depend on how the sum is written.
; RUN: split-file %s %t
; RUN: falx-opt --passes=falx-lower-builtins,falx-split-barriers -S %t/rows.ll | FileCheck %t/rows.ll
; RUN: falx-opt --passes=falx-lower-builtins,falx-vectorize-range -S %t/structure.ll | FileCheck %t/structure.ll
; RUN: falx-opt --passes=falx-lower-builtins,falx-vectorize-range -S %t/difference.ll | FileCheck %t/difference.ll

;--- rows.ll
declare i64 @__falx_global_id_x()
declare i64 @__falx_global_id_y()

; Rows of 4 in vectors of 8. Bits that are disjoint in active lanes need not be in a row's first one: a sum is meant.
; CHECK-LABEL: define internal void @rows.work_item.lanes(
; CHECK: %[[ROW:.*]] = shl i64 %{{.*}}, 2
; CHECK-NOT: or i64
; CHECK: %[[I:.*]] = add i64 %{{.*}}, %{{.*}}
; CHECK: %[[AT:.*]] = getelementptr float, ptr %data, i64 %[[I]]
; CHECK: call <4 x float> @llvm.masked.load.v4f32.p0(ptr align 4 %[[AT]]
; CHECK: call <4 x float> @llvm.masked.load.v4f32.p0(
; CHECK-NOT: llvm.masked.gather
; CHECK: ret void
define void @rows(ptr %f) "falx-kind"="2" "falx-dimensions"="2" "falx-sub-group-size"="8" "falx-local-range"="4,4,1" "falx-masked-operations" "falx-no-offset" {
  %x = call i64 @__falx_global_id_x()
  %y = call i64 @__falx_global_id_y()
  %data = load ptr, ptr %f, !invariant.load !0
  %width.at = getelementptr i8, ptr %f, i64 8
  %width = load i64, ptr %width.at, !invariant.load !0
  %rows = mul i64 %y, %width
  %row = shl i64 %rows, 2
  %i = or disjoint i64 %row, %x
  %at = getelementptr float, ptr %data, i64 %i
  %value = load float, ptr %at
  store float %value, ptr %data
  ret void
}

!0 = !{}

;--- structure.ll
declare i64 @__falx_global_id_x()

; Two members of a structure, found by two variable indices, added up in one order and in the other.
; CHECK-LABEL: define internal void @structure.work_item.lanes(
; CHECK: call <4 x float> @llvm.masked.load.v4f32.p0(
; CHECK: call <4 x float> @llvm.masked.load.v4f32.p0(
; CHECK-NOT: llvm.masked.{{load|gather}}
; CHECK: ret void
define void @structure(ptr %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="4" "falx-masked-operations" {
  %id = call i64 @__falx_global_id_x()
  %data = load ptr, ptr %f, !invariant.load !0
  %start.at = getelementptr i8, ptr %f, i64 8
  %start = load i64, ptr %start.at, !invariant.load !0
  %twice = shl i64 %id, 1
  %first = sub i64 %twice, %start
  %first.at = getelementptr float, ptr %data, i64 %first
  %one = load float, ptr %first.at
  %next = add i64 %twice, 1
  %second = sub i64 %next, %start
  %second.at = getelementptr float, ptr %data, i64 %second
  %other = load float, ptr %second.at
  %both = fadd float %one, %other
  %to = getelementptr float, ptr %data, i64 %id
  store float %both, ptr %to
  ret void
}

!0 = !{}

;--- difference.ll
declare i64 @__falx_global_id_x()

; Neighbours' elements unless a number of 32 bits wraps, of which something is taken away.
; CHECK-LABEL: define internal void @difference.work_item.lanes(
; CHECK: %no.lane.wraps = icmp ule i32 %{{.*}}, -4
; CHECK: consecutive:
; CHECK: %[[WIDE:.*]] = zext i32 %{{.*}} to i64
; CHECK: sub i64 %[[WIDE]], %start
; CHECK: call <4 x float> @llvm.masked.load
; CHECK: scattered:
; CHECK: call <4 x float> @llvm.masked.gather
define void @difference(ptr %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="4" "falx-masked-operations" {
  %id = call i64 @__falx_global_id_x()
  %data = load ptr, ptr %f, !invariant.load !0
  %start.at = getelementptr i8, ptr %f, i64 8
  %start = load i64, ptr %start.at, !invariant.load !0
  %narrow.start = trunc i64 %start to i32
  %narrow = trunc i64 %id to i32
  %k = add i32 %narrow, %narrow.start
  %wide = zext i32 %k to i64
  %i = sub i64 %wide, %start
  %at = getelementptr float, ptr %data, i64 %i
  %value = load float, ptr %at
  store float %value, ptr %data
  ret void
}

!0 = !{}
