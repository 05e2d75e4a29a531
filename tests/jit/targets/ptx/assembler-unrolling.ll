; The assembler may unroll loops that LLVM has unrolled, if their length is known or all of what the launch says; not
; those of another length, nor those of which the program says how far to unroll them.
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

; CHECK-LABEL: @length_of_launch
; CHECK: br i1 %done, label %end, label %loop, !llvm.loop [[LAUNCH:![0-9]+]]
define float @length_of_launch(ptr %x, ptr byval([8 x i8]) %f) {
entry:
  %n = load i64, ptr %f
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %p = getelementptr float, ptr %x, i64 %i
  %v = load float, ptr %p
  %more = fadd float %sum, %v
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop, !llvm.loop !10
end:
  ret float %more
}

; CHECK-LABEL: @length_of_item
; CHECK: br i1 %done, label %end, label %loop, !llvm.loop [[ITEM:![0-9]+]]
define float @length_of_item(ptr %x, i64 %n) {
entry:
  %id = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = zext i32 %id to i64
  %length = add nuw nsw i64 %own, %n
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %p = getelementptr float, ptr %x, i64 %i
  %v = load float, ptr %p
  %more = fadd float %sum, %v
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %length
  br i1 %done, label %end, label %loop, !llvm.loop !1
end:
  ret float %more
}

; CHECK-LABEL: @length_in_memory
; CHECK: br i1 %done, label %end, label %loop, !llvm.loop [[MEMORY:![0-9]+]]
define float @length_in_memory(ptr %x, ptr byval([8 x i8]) %f) {
entry:
  %rows = load ptr, ptr %f
  %n = load i64, ptr %rows
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %p = getelementptr float, ptr %x, i64 %i
  %v = load float, ptr %p
  %more = fadd float %sum, %v
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop, !llvm.loop !11
end:
  ret float %more
}

; CHECK-LABEL: @share
; CHECK: br i1 %done, label %end, label %loop, !llvm.loop [[SHARE:![0-9]+]]
define float @share(ptr %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %p = getelementptr float, ptr %x, i64 %i
  %v = load float, ptr %p
  %more = fadd float %sum, %v
  %next = add nuw nsw i64 %i, 256
  %done = icmp uge i64 %next, %n
  br i1 %done, label %end, label %loop, !llvm.loop !12
end:
  ret float %more
}

; CHECK-LABEL: @left_over
; CHECK: br i1 %done, label %end, label %loop, !llvm.loop [[REST:![0-9]+]]
define float @left_over(ptr %x, i64 %n) {
entry:
  %rest = and i64 %n, 3
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %p = getelementptr float, ptr %x, i64 %i
  %v = load float, ptr %p
  %more = fadd float %sum, %v
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %rest
  br i1 %done, label %end, label %loop, !llvm.loop !13
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
; CHECK-DAG: [[LAUNCH]] = distinct !{[[LAUNCH]]}
; CHECK-DAG: [[ITEM]] = distinct !{[[ITEM]], {{![0-9]+}}, [[DISABLED:![0-9]+]]}
; CHECK-DAG: [[MEMORY]] = distinct !{[[MEMORY]], {{![0-9]+}}, [[DISABLED]]}
; CHECK-DAG: [[SHARE]] = distinct !{[[SHARE]], {{![0-9]+}}, [[DISABLED]]}
; CHECK-DAG: [[REST]] = distinct !{[[REST]], {{![0-9]+}}, [[DISABLED]]}
; CHECK-DAG: [[FORBIDDEN]] = distinct !{[[FORBIDDEN]], [[DISABLED]]}
; CHECK-DAG: [[PROGRESS]] = !{!"llvm.loop.mustprogress"}
; CHECK-DAG: [[DISABLED]] = !{!"llvm.loop.unroll.disable"}
!0 = distinct !{!0, !3, !4, !5}
!1 = distinct !{!1, !4, !5}
!2 = distinct !{!2, !5}
!3 = !{!"llvm.loop.mustprogress"}
!4 = !{!"falx.loop.unrollable", i32 1}
!5 = !{!"llvm.loop.unroll.disable"}
!10 = distinct !{!10, !4, !5}
!11 = distinct !{!11, !4, !5}
!12 = distinct !{!12, !4, !5}
!13 = distinct !{!13, !4, !5}
