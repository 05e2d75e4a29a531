; Elements of rows that are loaded, changed and stored one after the other are loaded together where the first is and stored where
; the last is: in place (PLACE), and from one row to another that is said to lie elsewhere (APART). Not if the rows may be one
; memory (MAYBE), nor what a store before may have changed (BEFORE).
; RUN: split-file %s %t
; RUN: falx-opt -mtriple=x86_64 -mcpu=znver4 --passes=falx-lower-builtins,falx-vectorize -S %t/place.ll | FileCheck %s --check-prefix=PLACE
; RUN: falx-opt -mtriple=x86_64 -mcpu=znver4 --passes=falx-lower-builtins,falx-vectorize -S %t/apart.ll | FileCheck %s --check-prefix=APART
; RUN: sed 's/, !alias.scope.*//' %t/apart.ll | falx-opt -mtriple=x86_64 -mcpu=znver4 --passes=falx-lower-builtins,falx-vectorize -S | FileCheck %s --check-prefix=MAYBE
; RUN: falx-opt -mtriple=x86_64 -mcpu=znver4 --passes=falx-lower-builtins,falx-vectorize -S %t/before.ll | FileCheck %s --check-prefix=BEFORE
;
; PLACE-LABEL: define internal void @kernel.work_item.lanes(
; PLACE-COUNT-4: call <16 x i32> @llvm.masked.load
; PLACE-NOT: call {{.*}}masked.
; PLACE-COUNT-4: call void @llvm.masked.store
; PLACE-NOT: call {{.*}}masked.
;
; APART-LABEL: define internal void @kernel.work_item.lanes(
; APART-COUNT-4: call <16 x i32> @llvm.masked.load
; APART-NOT: call {{.*}}masked.
; APART-COUNT-4: call void @llvm.masked.store
; APART-NOT: call {{.*}}masked.
;
; MAYBE-LABEL: define internal void @kernel.work_item.lanes(
; MAYBE-COUNT-4: call <16 x i32> @llvm.masked.load
; MAYBE: call void @llvm.masked.store
; MAYBE-COUNT-4: call <16 x i32> @llvm.masked.load
; MAYBE: call void @llvm.masked.store
; MAYBE-COUNT-4: call <16 x i32> @llvm.masked.load
; MAYBE: call void @llvm.masked.store
;
; The second element is loaded behind the store of the first, which it may be for another lane.
; BEFORE-LABEL: define internal void @kernel.work_item.lanes(
; BEFORE: call <16 x i32> @llvm.masked.load
; BEFORE: call void @llvm.masked.store
; BEFORE: call <16 x i32> @llvm.masked.load
; BEFORE: call void @llvm.masked.store

;--- place.ll
declare i64 @__falx_local_id_x()
define void @kernel(ptr %f) "falx-kind"="2" "falx-dimensions"="1" "falx-sub-group-size"="16" {
  %id = call i64 @__falx_local_id_x()
  %data = load ptr, ptr %f, !invariant.load !0
  %begin = mul nuw nsw i64 %id, 4
  %p0 = getelementptr i32, ptr %data, i64 %begin
  %x0 = load i32, ptr %p0
  %y0 = add i32 %x0, 1
  store i32 %y0, ptr %p0
  %p1 = getelementptr i8, ptr %p0, i64 4
  %x1 = load i32, ptr %p1
  %y1 = add i32 %x1, 2
  store i32 %y1, ptr %p1
  %p2 = getelementptr i8, ptr %p0, i64 8
  %x2 = load i32, ptr %p2
  %y2 = add i32 %x2, 3
  store i32 %y2, ptr %p2
  %p3 = getelementptr i8, ptr %p0, i64 12
  %x3 = load i32, ptr %p3
  %y3 = add i32 %x3, 4
  store i32 %y3, ptr %p3
  ret void
}
!0 = !{}

;--- apart.ll
declare i64 @__falx_local_id_x()
define void @kernel(ptr %f) "falx-kind"="2" "falx-dimensions"="1" "falx-sub-group-size"="16" {
  %id = call i64 @__falx_local_id_x()
  %data = load ptr, ptr %f, !invariant.load !0
  %other.at = getelementptr i8, ptr %f, i64 8
  %other = load ptr, ptr %other.at, !invariant.load !0
  %begin = mul nuw nsw i64 %id, 4
  %p0 = getelementptr i32, ptr %data, i64 %begin
  %q0 = getelementptr i32, ptr %other, i64 %begin
  %x0 = load i32, ptr %p0, !alias.scope !3, !noalias !4
  %y0 = add i32 %x0, 1
  store i32 %y0, ptr %q0, !alias.scope !4, !noalias !3
  %p1 = getelementptr i8, ptr %p0, i64 4
  %q1 = getelementptr i8, ptr %q0, i64 4
  %x1 = load i32, ptr %p1, !alias.scope !3, !noalias !4
  %y1 = add i32 %x1, 2
  store i32 %y1, ptr %q1, !alias.scope !4, !noalias !3
  %p2 = getelementptr i8, ptr %p0, i64 8
  %q2 = getelementptr i8, ptr %q0, i64 8
  %x2 = load i32, ptr %p2, !alias.scope !3, !noalias !4
  %y2 = add i32 %x2, 3
  store i32 %y2, ptr %q2, !alias.scope !4, !noalias !3
  %p3 = getelementptr i8, ptr %p0, i64 12
  %q3 = getelementptr i8, ptr %q0, i64 12
  %x3 = load i32, ptr %p3, !alias.scope !3, !noalias !4
  %y3 = add i32 %x3, 4
  store i32 %y3, ptr %q3, !alias.scope !4, !noalias !3
  ret void
}
!0 = !{}
!1 = distinct !{!1, !2}
!2 = distinct !{!2}
!3 = !{!1}
!4 = !{!5}
!5 = distinct !{!5, !2}

;--- before.ll
declare i64 @__falx_local_id_x()
define void @kernel(ptr %f) "falx-kind"="2" "falx-dimensions"="1" "falx-sub-group-size"="16" {
  %id = call i64 @__falx_local_id_x()
  %data = load ptr, ptr %f, !invariant.load !0
  %begin = mul nuw nsw i64 %id, 4
  %p0 = getelementptr i32, ptr %data, i64 %begin
  %x0 = load i32, ptr %p0
  %y0 = add i32 %x0, 1
  %q0 = getelementptr i8, ptr %p0, i64 16
  store i32 %y0, ptr %q0
  %p1 = getelementptr i8, ptr %p0, i64 16
  %x1 = load i32, ptr %p1
  %y1 = add i32 %x1, 2
  %q1 = getelementptr i8, ptr %p0, i64 32
  store i32 %y1, ptr %q1
  ret void
}
!0 = !{}
