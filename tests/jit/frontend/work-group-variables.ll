; Variables of class work_group_static become memory of the work-group, one call for each.
; RUN: falx-opt --passes=falx-work-group-variables %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK-NOT: @sums
@sums = weak_odr externally_initialized global [16 x i32] zeroinitializer, align 4 #0
; CHECK-NOT: @unused
@unused = internal externally_initialized global i32 0, align 4 #0
; CHECK: @kept
@kept = internal global i32 0, align 4

; CHECK: define void @kernel(
define void @kernel(ptr dereferenceable(8) %f) "falx-kind"="2" "falx-dimensions"="1" {
; CHECK: %[[MEMORY:.*]] = call ptr @__falx_group_local_memory(i64 64, i64 4)
; CHECK: %[[PLACE:.*]] = getelementptr i8, ptr %[[MEMORY]], i64 8
; CHECK: store i32 7, ptr %[[PLACE]]
  store i32 7, ptr getelementptr (i8, ptr @sums, i64 8), align 4
; CHECK: store i32 3, ptr %[[MEMORY]]
  store i32 3, ptr @sums, align 4
; CHECK: store i32 1, ptr @kept
  store i32 1, ptr @kept, align 4
  ret void
}

attributes #0 = { "falx-work-group-variable" }
