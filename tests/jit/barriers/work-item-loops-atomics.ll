; Work-items that use atomics may communicate, so their loop promises nothing.
; RUN: falx-opt --passes=falx-lower-builtins,falx-split-barriers -S %s | FileCheck %s
; CHECK-LABEL: define internal void @kernel.group(
; CHECK-NOT: !llvm.loop
; CHECK-NOT: access.group
define void @kernel(ptr %f) "falx-kind"="2" "falx-dimensions"="1" {
  %data = load ptr, ptr %f
  %old = atomicrmw add ptr %data, i32 1 monotonic
  ret void
}
