; Two loops over lanes, if they are not of calls, may be unrolled, more are only code. Beside them masks are little: the function is there once.
; RUN: falx-opt --passes=falx-lower-builtins,falx-vectorize-range,falx-kernel-function -S %s | FileCheck %s

declare i64 @__falx_global_id_x()
declare void @elsewhere(i64)

; CHECK-LABEL: define internal void @kernel.work_item.lanes(
; CHECK: call void @elsewhere(
; CHECK: br i1 %{{.*}}, label %lane, label %lane.end, !llvm.loop !
; CHECK: br i1 %{{.*}}, label %{{lane[0-9]+}}, label %lane.end{{[0-9]+$}}
; CHECK: br i1 %{{.*}}, label %{{lane[0-9]+}}, label %lane.end{{[0-9]+$}}
; CHECK: br i1 %{{.*}}, label %{{lane[0-9]+}}, label %lane.end{{[0-9]+}}, !llvm.loop ![[LOOP:[0-9]+]]

; CHECK-LABEL: define internal void @kernel(
; CHECK: box.y:
; CHECK-COUNT-1: call void @kernel.work_item.lanes(
; CHECK-NOT: call void @kernel.work_item.lanes(
; CHECK: br i1 %{{.*}}, label %box.y.end, label %box.y, !llvm.loop ![[ROWS:[0-9]+]]
; CHECK-DAG: ![[LOOP]] = distinct !{![[LOOP]], ![[WHOLE:[0-9]+]]}
; CHECK-DAG: ![[ROWS]] = distinct !{![[ROWS]], ![[WHOLE]], ![[VECTORIZED:[0-9]+]]}
; CHECK-DAG: ![[WHOLE]] = !{!"llvm.loop.unroll.disable"}
; CHECK-DAG: ![[VECTORIZED]] = !{!"llvm.loop.isvectorized", i32 1}
define void @kernel(ptr %f) "falx-kind"="1" "falx-dimensions"="2" "falx-sub-group-size"="8" {
  %id = call i64 @__falx_global_id_x()
  call void @elsewhere(i64 %id)
  store volatile i64 %id, ptr %f
  store volatile i64 %id, ptr %f
  store volatile i64 %id, ptr %f
  ret void
}
