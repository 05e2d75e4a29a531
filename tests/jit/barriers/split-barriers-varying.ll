; A value that differs between work-items waits in the context; addresses made of parameters are made anew.
; RUN: falx-opt --passes=falx-lower-builtins,falx-split-barriers -S %s | FileCheck %s

declare i64 @__falx_local_id_x()
declare void @__falx_work_group_barrier()

; CHECK-LABEL: define internal { i32 } @kernel.region.0(
; CHECK: %[[COUNT:.*]] = and i64 {{.*}}, -64
; CHECK: %value = load i32
; CHECK: store i32 %value, ptr %slot
; CHECK: ret { i32 } { i32 1 }
; CHECK-LABEL: define internal { i32 } @kernel.region.1(
; CHECK: load ptr, ptr %function, align 8, !invariant.load
; CHECK: %[[KEPT:.*]] = load i32, ptr %slot
; CHECK: add i32 %[[KEPT]], 1
; CHECK: ret { i32 } { i32 2 }
; CHECK-LABEL: define internal void @kernel.group(
; CHECK: call { i32 } @kernel.region.0(ptr %function, i64 %x.index, i64 0, i64 0, i64 %linear
; CHECK: call { i32 } @kernel.region.1(
; CHECK: attributes {{.*}}"falx-context"="4"
define void @kernel(ptr %f) "falx-kind"="2" "falx-dimensions"="1" {
  %id = call i64 @__falx_local_id_x()
  %data = load ptr, ptr %f
  %at = getelementptr i32, ptr %data, i64 %id
  %value = load i32, ptr %at
  call void @__falx_work_group_barrier()
  %more = add i32 %value, 1
  store i32 %more, ptr %at
  ret void
}
