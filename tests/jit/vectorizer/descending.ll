; Elements that follow each other backwards: one vector at the last lane's address, turned round, as is the mask.
; RUN: falx-opt -mtriple=x86_64 -mcpu=icelake-server --passes=falx-lower-builtins,falx-vectorize -S %s | FileCheck %s

declare i64 @__falx_global_id_x()

; CHECK-LABEL: define internal void @kernel.work_item.lanes(
; CHECK: %from = getelementptr i32, ptr %data, i64 %self
; CHECK: %[[MASK:.*]] = shufflevector <4 x i1> %active, <4 x i1> zeroinitializer, <4 x i32> <i32 3, i32 2, i32 1, i32 0>
; CHECK: %[[LAST:.*]] = getelementptr i8, ptr %from, i64 -12
; CHECK: %[[ALL:.*]] = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr align 4 %[[LAST]], <4 x i1> %[[MASK]]
; CHECK: %x = shufflevector <4 x i32> %[[ALL]], <4 x i32> poison, <4 x i32> <i32 3, i32 2, i32 1, i32 0>
; CHECK: %[[TURNED:.*]] = shufflevector <4 x i32> %more, <4 x i32> poison, <4 x i32> <i32 3, i32 2, i32 1, i32 0>
; CHECK: %[[LAST:.*]] = getelementptr i8, ptr %to, i64 -12
; CHECK: call void @llvm.masked.store.v4i32.p0(<4 x i32> %[[TURNED]], ptr align 4 %[[LAST]], <4 x i1>
; CHECK-NOT: gather
; CHECK-NOT: scatter
define void @kernel(ptr %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="4" {
  %id = call i64 @__falx_global_id_x()
  %data = load ptr, ptr %f
  %self = sub i64 99, %id
  %from = getelementptr i32, ptr %data, i64 %self
  %x = load i32, ptr %from
  %more = add i32 %x, 1
  %to = getelementptr i32, ptr %from, i64 1000
  store i32 %more, ptr %to
  ret void
}
