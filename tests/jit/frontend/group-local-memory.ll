; Local memory of a size that is known at compile time lies in front of the group's scratch memory, each call's by itself.
; RUN: falx-opt --passes=falx-lower-builtins %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

declare ptr @__falx_group_local_memory(i64, i64)
declare ptr @__falx_group_scratch(i64)

; CHECK: define {{.*}} @kernel.work_item(
define void @kernel(ptr dereferenceable(8) %f) "falx-kind"="2" "falx-dimensions"="1" "falx-local-range"="16,1,1" {
; CHECK: %[[A:.*]] = getelementptr inbounds i8, ptr %[[MEMORY:.*]], i64 0
; CHECK: store i32 1, ptr %[[A]]
  %a = call ptr @__falx_group_local_memory(i64 5, i64 1)
  store i32 1, ptr %a, align 4
; CHECK: %[[B:.*]] = getelementptr inbounds i8, ptr %[[MEMORY]], i64 8
; CHECK: store i32 2, ptr %[[B]]
  %b = call ptr @__falx_group_local_memory(i64 100, i64 8)
  store i32 2, ptr %b, align 4
; CHECK: %[[SCRATCH:.*]] = getelementptr inbounds i8, ptr %[[MEMORY]], i64 128
; CHECK: store i32 3, ptr %[[SCRATCH]]
  %s = call ptr @__falx_group_scratch(i64 4)
  store i32 3, ptr %s, align 4
  ret void
}
; 128 bytes for 16 work-items, and 4 for each.
; CHECK: "falx-scratch"="12"
