; The assembler may unroll loops of known length that LLVM has unrolled; not those of unknown length, nor those of
; which the program says how far to unroll them.
; RUN: falx-opt --passes=falx-ptx-assembler-unrolling -S %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: @known
; CHECK: br i1 %done, label %end, label %loop, !llvm.loop [[KNOWN:![0-9]+]]
define float @known(ptr %x) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %p = getelementptr float, ptr %x, i64 %i
  %v = load float, ptr %p
  %more = fadd float %sum, %v
  %next = add nuw nsw i64 %i, 8
  %done = icmp eq i64 %next, 4096
  br i1 %done, label %end, label %loop, !llvm.loop !0
end:
  ret float %more
}

; CHECK-LABEL: @unknown
; CHECK: br i1 %done, label %end, label %loop, !llvm.loop [[UNKNOWN:![0-9]+]]
define float @unknown(ptr %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %p = getelementptr float, ptr %x, i64 %i
  %v = load float, ptr %p
  %more = fadd float %sum, %v
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop, !llvm.loop !1
end:
  ret float %more
}

; CHECK-LABEL: @forbidden
; CHECK: br i1 %done, label %end, label %loop, !llvm.loop [[FORBIDDEN:![0-9]+]]
define float @forbidden(ptr %x) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %p = getelementptr float, ptr %x, i64 %i
  %v = load float, ptr %p
  %more = fadd float %sum, %v
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, 4096
  br i1 %done, label %end, label %loop, !llvm.loop !2
end:
  ret float %more
}

; CHECK-DAG: [[KNOWN]] = distinct !{[[KNOWN]], [[PROGRESS:![0-9]+]]}
; CHECK-DAG: [[UNKNOWN]] = distinct !{[[UNKNOWN]], {{![0-9]+}}, [[DISABLED:![0-9]+]]}
; CHECK-DAG: [[FORBIDDEN]] = distinct !{[[FORBIDDEN]], [[DISABLED]]}
; CHECK-DAG: [[PROGRESS]] = !{!"llvm.loop.mustprogress"}
; CHECK-DAG: [[DISABLED]] = !{!"llvm.loop.unroll.disable"}
!0 = distinct !{!0, !3, !4, !5}
!1 = distinct !{!1, !4, !5}
!2 = distinct !{!2, !5}
!3 = !{!"llvm.loop.mustprogress"}
!4 = !{!"falx.loop.unrollable", i32 1}
!5 = !{!"llvm.loop.unroll.disable"}
