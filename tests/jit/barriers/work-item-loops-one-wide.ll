; A group that is one work-item wide in x has no loop over x: the loop over y is what LLVM can vectorise.
; RUN: falx-opt --passes=falx-lower-builtins,falx-split-barriers -S %s | FileCheck %s

declare i64 @__falx_global_id_x()

; CHECK-LABEL: define internal void @kernel.group(
; CHECK-NOT: x:
; CHECK: y:
; CHECK: call void @kernel.work_item(ptr %function, i64 0, i64 %y.index, i64 0,
; CHECK: icmp eq i64 %y.next, 64
; CHECK: br i1 {{.*}}, label %y.end, label %y, !llvm.loop ![[LOOP:[0-9]+]]
; CHECK: ![[LOOP]] = distinct !{![[LOOP]], ![[PARALLEL:[0-9]+]],
; CHECK: ![[PARALLEL]] = !{!"llvm.loop.parallel_accesses",
define void @kernel(ptr %f) "falx-kind"="2" "falx-dimensions"="2" "falx-local-range"="1,64,1" {
  %id = call i64 @__falx_global_id_x()
  %data = load ptr, ptr %f
  %at = getelementptr i64, ptr %data, i64 %id
  store i64 %id, ptr %at
  ret void
}
