; Without barriers a group is a loop nest, x innermost, whose accesses do not depend on each other, except for
; those to private memory.
; RUN: falx-opt --passes=falx-lower-builtins,falx-split-barriers -S %s | FileCheck %s

declare i64 @__falx_global_id_x()

; CHECK-LABEL: define internal void @kernel.work_item(
; CHECK: store i64 {{.*}}, ptr %slot
; CHECK-NOT: access.group
; CHECK: load ptr, ptr %function{{.*}}!llvm.access.group ![[GROUP:[0-9]+]]
; CHECK: store i64 {{.*}}!llvm.access.group ![[GROUP]]
; CHECK-LABEL: define internal void @kernel.group(
; CHECK: y:
; CHECK: %[[FIRST:.*]] = mul nuw nsw i64 %y.index, %local.range.x
; CHECK: %[[ROW:.*]] = add nuw nsw i64 %{{.*}}, %[[FIRST]]
; CHECK: x:
; CHECK: %[[LINEAR:.*]] = add nuw nsw i64 %[[ROW]], %x.index
; CHECK: call void @kernel.work_item(ptr %function, i64 %x.index, i64 %y.index, i64 0, i64 %[[LINEAR]], i64 %group.x
; CHECK: icmp eq i64 %x.next, %local.range.x
; CHECK: br i1 {{.*}}, label %x.end, label %x, !llvm.loop ![[LOOP:[0-9]+]]
; CHECK: icmp eq i64 %y.next, %local.range.y
; CHECK: br i1 {{.*}}, label %y.end, label %y, !llvm.loop ![[OUTER:[0-9]+]]
; CHECK: ![[LOOP]] = distinct !{![[LOOP]], ![[PARALLEL:[0-9]+]], ![[WHOLE:[0-9]+]]}
; CHECK: ![[PARALLEL]] = !{!"llvm.loop.parallel_accesses", ![[GROUP]]}
; CHECK: ![[WHOLE]] = !{!"llvm.loop.unroll.disable"}
; CHECK: ![[OUTER]] = distinct !{![[OUTER]], ![[WHOLE]]}
define void @kernel(ptr %f) "falx-kind"="2" "falx-dimensions"="2" {
  %private = alloca [4 x i64]
  %id = call i64 @__falx_global_id_x()
  %slot = getelementptr [4 x i64], ptr %private, i64 0, i64 %id
  store i64 %id, ptr %slot
  %value = load i64, ptr %private
  %data = load ptr, ptr %f
  %at = getelementptr i64, ptr %data, i64 %id
  store i64 %value, ptr %at
  ret void
}
