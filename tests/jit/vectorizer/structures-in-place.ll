; Members that are stored and read again: what a load reads must be loaded behind the store, even where the structure's
; other members, which the store leaves alone, were loaded before it.
; RUN: falx-opt -mtriple=x86_64 -mcpu=icelake-server --passes=falx-lower-builtins,falx-vectorize -S %s | FileCheck %s

declare i64 @__falx_global_id_x()

; CHECK-LABEL: define internal void @kernel.work_item.lanes(
; CHECK-COUNT-2: call <4 x i32> @llvm.masked.load.v4i32.p0(
; CHECK: %[[SUM:.*]] = add <4 x i32>
; CHECK-COUNT-2: call void @llvm.masked.store.v4i32.p0(
; CHECK-COUNT-2: call <4 x i32> @llvm.masked.load.v4i32.p0(
; CHECK: mul <4 x i32>
define void @kernel(ptr %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="4" "falx-no-offset" {
  %id = call i64 @__falx_global_id_x()
  %pairs = load ptr, ptr %f, !invariant.load !0
  %x.at = getelementptr { i32, i32 }, ptr %pairs, i64 %id
  %y.at = getelementptr i8, ptr %x.at, i64 4
  %x = load i32, ptr %x.at
  %sum = add i32 %x, 7
  store i32 %sum, ptr %y.at
  %y = load i32, ptr %y.at
  %product = mul i32 %y, %x
  %out.at = getelementptr i8, ptr %f, i64 8
  %out = load ptr, ptr %out.at, !invariant.load !0
  %place = getelementptr i32, ptr %out, i64 %id
  store i32 %product, ptr %place
  ret void
}

!0 = !{}
