; Bytes at scattered addresses: the target has no instruction for them, so many of them are loops over the active lanes.
; Words are gathered, and so are few bytes, and all of them where nothing is known of the target.
; RUN: falx-opt -mtriple=x86_64 -mcpu=icelake-server --passes=falx-lower-builtins,falx-interleave,falx-vectorize -S %s | FileCheck %s
; RUN: falx-opt --passes=falx-lower-builtins,falx-vectorize -S %s | FileCheck %s --check-prefix=UNKNOWN
; RUN: sed '/FIRST$/d' %s > %t.few.ll
; RUN: falx-opt -mtriple=x86_64 -mcpu=icelake-server --passes=falx-lower-builtins,falx-interleave,falx-vectorize -S %t.few.ll | FileCheck %s --check-prefix=FEW

declare i64 @__falx_global_id_x()

; CHECK-LABEL: define internal void @kernel.work_item.lanes(
; CHECK: call <4 x i32> @llvm.masked.gather.v4i32.v4p0(
; CHECK: lane:
; CHECK: load i8, ptr
; CHECK: lane{{[0-9]+}}:
; CHECK: load i8, ptr
; CHECK-NOT: llvm.masked.scatter
; CHECK: store i8 %

; UNKNOWN-LABEL: define internal void @kernel.work_item.lanes(
; UNKNOWN-NOT: lane:
; UNKNOWN: call <4 x i8> @llvm.masked.gather.v4i8.v4p0(
; UNKNOWN: call void @llvm.masked.scatter.v4i8.v4p0(

; FEW-LABEL: define internal void @kernel.work_item.lanes(
; FEW-NOT: lane:
; FEW: call <4 x i8> @llvm.masked.gather.v4i8.v4p0(
; FEW: call void @llvm.masked.scatter.v4i8.v4p0(
define void @kernel(ptr %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="4" {
  %id = call i64 @__falx_global_id_x()
  %data = load ptr, ptr %f
  %at = getelementptr i32, ptr %data, i64 %id
  %index = load i32, ptr %at
  %index.64 = zext i32 %index to i64
  %far = getelementptr i32, ptr %data, i64 %index.64
  %word = load i32, ptr %far
  %word.64 = zext i32 %word to i64
  %p = getelementptr i8, ptr %data, i64 %word.64
  %first = load i8, ptr %p
  %q = getelementptr i8, ptr %p, i64 1
  store i8 %first, ptr %q ; FIRST
  store i8 %first, ptr %p
  ret void
}
