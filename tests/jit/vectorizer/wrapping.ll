; Consecutive unsigned numbers that start anywhere: one vector if none of them wraps, which is asked each time.
; RUN: falx-opt --passes=falx-lower-builtins,falx-vectorize -S %s | FileCheck %s

declare i64 @__falx_global_id_x()

; A sum of 64 bits is looked through; a load and a store.
; CHECK-LABEL: define internal void @kernel.work_item.lanes(
; CHECK: %index = add i32 %start, %lane
; CHECK: %wide = zext <4 x i32> {{.*}} to <4 x i64>
; CHECK: %from = getelementptr i32, ptr %data, <4 x i64>
; CHECK: %no.lane.wraps = icmp ule i32 %index, -4
; CHECK: br i1 %no.lane.wraps, label %consecutive, label %scattered, !prof
; CHECK: consecutive:
; CHECK-NEXT: %[[WIDE:.*]] = zext i32 %index to i64
; CHECK-NEXT: %[[SUM:.*]] = add i64 %[[WIDE]], %row
; CHECK-NEXT: %[[AT:.*]] = getelementptr i32, ptr %data, i64 %[[SUM]]
; CHECK-NEXT: %[[X:.*]] = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr align 4 %[[AT]], <4 x i1> %active
; CHECK-NEXT: br label %behind
; CHECK: scattered:
; CHECK-NEXT: %[[Y:.*]] = call <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr> align 4 %from, <4 x i1> %active
; CHECK-NEXT: br label %behind
; CHECK: behind:
; CHECK-NEXT: %x{{.*}} = phi <4 x i32> [ %[[X]], %consecutive ], [ %[[Y]], %scattered ]
; CHECK: br i1 %no.lane.wraps{{.*}}, label %[[TOGETHER:.*]], label %[[APART:[^,]*]]
; CHECK: [[TOGETHER]]:
; CHECK: call void @llvm.masked.store.v4i32.p0(
; CHECK: [[APART]]:
; CHECK: call void @llvm.masked.scatter.v4i32.v4p0(
;
; A signed one that may wrap, too; by two elements from lane to lane it is nothing of the kind, nor is the sum of two such
; numbers, and a number that cannot wrap needs no question.
; CHECK: icmp sle i32 {{.*}}, 2147483644
; CHECK-NOT: icmp
; CHECK: call <4 x i32> @llvm.masked.gather
; CHECK-NOT: icmp
; CHECK: call <4 x i32> @llvm.masked.gather
; CHECK-NOT: icmp
; CHECK: %last = call <4 x i32> @llvm.masked.load
define void @kernel(ptr %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="4" {
  %id = call i64 @__falx_global_id_x()
  %lane = trunc i64 %id to i32
  %data = load ptr, ptr %f
  %start = load i32, ptr %data
  %row = load i64, ptr %data
  %index = add i32 %start, %lane
  %wide = zext i32 %index to i64
  %sum = add i64 %wide, %row
  %from = getelementptr i32, ptr %data, i64 %sum
  %x = load i32, ptr %from
  %to = getelementptr { i32 }, ptr %data, i64 %wide, i32 0
  store i32 %x, ptr %to
  %signed = sext i32 %index to i64
  %from.signed = getelementptr i32, ptr %data, i64 %signed
  %y = load i32, ptr %from.signed
  %from.far = getelementptr i64, ptr %data, i64 %wide
  %z = load i32, ptr %from.far
  %both = add i64 %wide, %signed
  %from.both = getelementptr i16, ptr %data, i64 %both
  %u = load i32, ptr %from.both
  %exact = add nuw i32 %start, 7
  %exact.wide = zext i32 %exact to i64
  %exact.sum = add i64 %id, %exact.wide
  %from.exact = getelementptr i32, ptr %data, i64 %exact.sum
  %last = load i32, ptr %from.exact
  %a = add i32 %y, %z
  %b = add i32 %a, %u
  %c = add i32 %b, %last
  %out = getelementptr i32, ptr %data, i64 %id
  store i32 %c, ptr %out
  ret void
}
