; fmod is a call, so the rest of a division runs once per active lane, in a loop that stays one; of numbers that lanes share it is one call.
; RUN: falx-opt --passes=falx-lower-builtins,falx-vectorize -S %s | FileCheck %s

declare i64 @__falx_global_id_x()

; CHECK-LABEL: define internal void @kernel.work_item.lanes(
; CHECK: %shared = frem float %{{.*}}, 3.0
; CHECK: br i1 %{{.*}}, label %some, label %
; CHECK: some:
; CHECK: store <8 x float> %x, ptr %[[LANES:.*]], align
; CHECK: lane:
; CHECK: %[[NUMBER:.*]] = call i8 @llvm.cttz.i8(i8 %rest
; CHECK: %[[X:.*]] = load float, ptr
; CHECK: frem float %[[X]], %shared
; CHECK: br i1 %{{.*}}, label %lane, label %lane.end, !llvm.loop ![[LOOP:[0-9]+]]
; CHECK-NOT: frem <
; CHECK-DAG: ![[LOOP]] = distinct !{![[LOOP]], ![[WHOLE:[0-9]+]]}
; CHECK-DAG: ![[WHOLE]] = !{!"llvm.loop.unroll.disable"}
define void @kernel(ptr %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="8" {
entry:
  %id = call i64 @__falx_global_id_x()
  %data = load ptr, ptr %f
  %all = load float, ptr %data
  %shared = frem float %all, 3.0
  %at = getelementptr float, ptr %data, i64 %id
  %x = load float, ptr %at
  %positive = fcmp ogt float %x, 0.0
  br i1 %positive, label %some, label %end
some:
  %rest = frem float %x, %shared
  store float %rest, ptr %at
  br label %end
end:
  ret void
}
