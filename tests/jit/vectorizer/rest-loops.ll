; The copy of a vector function for the rest of the work-items is a function of its own if it has loops that LLVM might unroll: there they
; stay. Short ones do not.
; RUN: falx-opt --passes=falx-lower-builtins,falx-vectorize-range,falx-kernel-function -S %s | FileCheck %s
; RUN: sed 's/^ *%[abcde] = .*//; s/%e,/%x,/' %s | falx-opt --passes=falx-lower-builtins,falx-vectorize-range,falx-kernel-function -S - | FileCheck %s --check-prefix=SHORT
; RUN: sed 's/"falx-sub-group-size"="4"/"falx-sub-group-size"="4" "falx-lanes"="8"/' %s | falx-opt --passes=falx-lower-builtins,falx-vectorize-range,falx-kernel-function -S - | FileCheck %s --check-prefix=SEVERAL

declare i64 @__falx_global_id_x()

; CHECK-LABEL: define internal void @kernel.work_item.lanes(
; CHECK: br label %loop{{$}}
; CHECK-LABEL: define internal void @kernel(
; CHECK: call void @kernel.work_item.lanes(ptr {{.*}}, <4 x i1> splat (i1 true))
; CHECK: call void @kernel.work_item.lanes.rest(ptr {{.*}}, <4 x i1> %active)
; CHECK-LABEL: define internal void @kernel.work_item.lanes.rest(
; CHECK: br label %loop, !llvm.loop ![[LOOP:[0-9]+]]
; CHECK-DAG: ![[LOOP]] = distinct !{![[LOOP]], ![[WHOLE:[0-9]+]]}
; CHECK-DAG: ![[WHOLE]] = !{!"llvm.loop.unroll.disable"}

; SHORT: call void @kernel.work_item.lanes(ptr {{.*}}, <4 x i1> splat (i1 true))
; SHORT: call void @kernel.work_item.lanes(ptr {{.*}}, <4 x i1> %active)

; SEVERAL-LABEL: define internal void @kernel.work_item.rest.lanes(
; SEVERAL: br label %loop, !llvm.loop ![[LOOP:[0-9]+]]
; SEVERAL-LABEL: define internal void @kernel.work_item.lanes(
; SEVERAL: br label %loop{{$}}
; SEVERAL-DAG: ![[LOOP]] = distinct !{![[LOOP]], ![[WHOLE:[0-9]+]]}
; SEVERAL-DAG: ![[WHOLE]] = !{!"llvm.loop.unroll.disable"}
define void @kernel(ptr %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="4" {
entry:
  %id = call i64 @__falx_global_id_x()
  %data = load ptr, ptr %f
  %at = getelementptr float, ptr %data, i64 %id
  %first = load float, ptr %at
  br label %loop
loop:
  %n = phi i32 [ 0, %entry ], [ %n.next, %loop ]
  %x = phi float [ %first, %entry ], [ %x.next, %loop ]
  %a = fmul float %x, 1.5
  %b = fadd float %a, 2.5
  %c = fmul float %b, %a
  %d = fadd float %c, 0.5
  %e = fmul float %d, 0.5
  %x.next = fadd float %e, 1.0
  %n.next = add i32 %n, 1
  %done = icmp eq i32 %n.next, 100
  br i1 %done, label %end, label %loop
end:
  store float %x.next, ptr %at
  ret void
}
