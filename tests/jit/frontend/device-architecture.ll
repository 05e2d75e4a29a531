; The kind of device is a constant of the target (falx/device_architecture.hpp).
; RUN: falx-opt --passes=falx-lower-builtins -S %s | FileCheck %s
; RUN: sed s/x86_64-pc-linux-gnu/aarch64-unknown-linux-gnu/ %s | falx-opt --passes=falx-lower-builtins -S - | FileCheck %s --check-prefix=OTHER

target triple = "x86_64-pc-linux-gnu"

declare i32 @__falx_device_architecture()
declare void @use(i32)

; CHECK-LABEL: define internal void @kernel.work_item(
; CHECK: call void @use(i32 65536)
; OTHER: call void @use(i32 0)
define void @kernel(ptr %f) "falx-kind"="1" "falx-dimensions"="1" {
  %kind = call i32 @__falx_device_architecture()
  call void @use(i32 %kind)
  ret void
}
