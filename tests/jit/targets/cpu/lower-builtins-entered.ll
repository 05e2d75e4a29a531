; For which of a group's work-items its one thread runs is a variable of that thread; other kinds have none.
; RUN: falx-opt --passes=falx-lower-builtins -S %s | FileCheck %s
; RUN: sed 's/"falx-kind"="3"/"falx-kind"="2"/' %s | falx-opt --passes=falx-lower-builtins -S - | FileCheck --check-prefix=OTHER %s

declare void @__falx_work_item_enter(i64)
declare i64 @__falx_work_item_entered()

; CHECK-LABEL: define internal void @kernel.work_item(
; CHECK-NEXT: [[ITEM:%.*]] = alloca i64
; CHECK-NEXT: store i64 0, ptr [[ITEM]]
; CHECK-NEXT: store i64 7, ptr [[ITEM]]
; CHECK-NEXT: [[ENTERED:%.*]] = load i64, ptr [[ITEM]]
; CHECK-NEXT: store volatile i64 [[ENTERED]], ptr
; OTHER-LABEL: define internal void @kernel.work_item(
; OTHER-NOT: alloca
; OTHER: store volatile i64 0, ptr
define void @kernel(ptr %f) "falx-kind"="3" "falx-dimensions"="1" {
  call void @__falx_work_item_enter(i64 7)
  %entered = call i64 @__falx_work_item_entered()
  store volatile i64 %entered, ptr %f
  ret void
}
