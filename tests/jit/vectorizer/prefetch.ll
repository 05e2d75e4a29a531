; Prefetches of lanes: one for a uniform address, one per cache line for dense ones (16 floats are 64 bytes: two
; lines at most), one per active lane for others.
; RUN: falx-opt --passes=falx-lower-builtins,falx-vectorize %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare i64 @__falx_global_id_x()
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)

; CHECK-LABEL: define internal void @kernel.work_item.lanes(
; CHECK: call void @llvm.prefetch.p0(ptr %data, i32 0, i32 3, i32 1)
; CHECK: call void @llvm.prefetch.p0(ptr %next.at, i32 0, i32 2, i32 1)
; CHECK: [[LAST:%.*]] = getelementptr i8, ptr %next.at, i64 60
; CHECK-NEXT: call void @llvm.prefetch.p0(ptr [[LAST]], i32 0, i32 2, i32 1)
; CHECK-NOT: prefetch
; CHECK: call void @llvm.prefetch.p0(ptr %row.at, i32 0, i32 1, i32 1)
; CHECK-NEXT: getelementptr i8, ptr %row.at, i64 -60
; CHECK-NEXT: prefetch
; CHECK-NOT: prefetch
; CHECK: icmp eq i16 {{.*}}, -1
; CHECK: br i1 {{.*}}, label %every.lane, label %some.lanes
; CHECK: every.lane:
; CHECK-COUNT-16: prefetch.p0(ptr {{.*}}, i32 0, i32 0, i32 1)
; CHECK: some.lanes:
; CHECK: lane:
; CHECK: prefetch.p0(ptr {{.*}}, i32 0, i32 0, i32 1)
define void @kernel(ptr dereferenceable(8) %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="16" {
  %id = call i64 @__falx_global_id_x()
  %data = load ptr, ptr %f
  call void @llvm.prefetch.p0(ptr %data, i32 0, i32 3, i32 1)
  %next.at = getelementptr float, ptr %data, i64 %id
  call void @llvm.prefetch.p0(ptr %next.at, i32 0, i32 2, i32 1)
  %back = sub i64 0, %id
  %row.at = getelementptr float, ptr %data, i64 %back
  call void @llvm.prefetch.p0(ptr %row.at, i32 0, i32 1, i32 1)
  %x = load float, ptr %next.at
  %number = fptosi float %x to i64
  %any.at = getelementptr float, ptr %data, i64 %number
  call void @llvm.prefetch.p0(ptr %any.at, i32 0, i32 0, i32 1)
  ret void
}
