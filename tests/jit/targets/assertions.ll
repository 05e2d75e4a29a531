; A failed assertion says which work-item failed.
; RUN: falx-opt --passes=falx-assertions -S %s | FileCheck %s

; CHECK: @[[FORMAT:.*]] = private unnamed_addr constant {{.*}}c"%s:%d: %s: global id: [%zu,%zu,%zu], local id: [%zu,%zu,%zu] Assertion `%s` failed.\0A\00"

declare void @__assert_fail(ptr, ptr, i32, ptr) noreturn

; CHECK-LABEL: define void @kernel(
; CHECK: [[X:%.*]] = call i64 @__falx_global_id_x()
; CHECK: [[L:%.*]] = call i64 @__falx_local_id_x()
; CHECK: call void @falx.assertion_failed(ptr %f, ptr %file, i32 7, ptr %function, i64 [[X]], {{.*}} i64 [[L]], {{.*}})
; CHECK-NEXT: unreachable
define void @kernel(ptr %f, ptr %file, ptr %function) "falx-kind"="2" "falx-dimensions"="1" {
  call void @__assert_fail(ptr %f, ptr %file, i32 7, ptr %function)
  unreachable
}

; CHECK: define internal void @falx.assertion_failed(ptr [[EXPRESSION:%[0-9]+]], ptr
; CHECK: call i32 (i32, ptr, ...) @dprintf(i32 2, ptr @[[FORMAT]], {{.*}}, ptr [[EXPRESSION]])
; CHECK-NEXT: call void @abort()
