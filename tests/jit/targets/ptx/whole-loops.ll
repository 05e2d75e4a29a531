; Loops that are not too long are unrolled whole, longer ones in part, with a rest if need be.
; RUN: falx-opt --passes=falx-ptx-unrolling %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: @bits
; CHECK: br i1 %done, label %end, label %loop, !llvm.loop [[WHOLE:![0-9]+]]
define i32 @bits(i64 %x) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %n = phi i32 [ 0, %entry ], [ %more, %loop ]
  %rest = phi i64 [ %x, %entry ], [ %half, %loop ]
  %low = trunc i64 %rest to i32
  %bit = and i32 %low, 1
  %more = add i32 %n, %bit
  %half = lshr i64 %rest, 1
  %next = add nuw nsw i32 %i, 1
  %done = icmp eq i32 %next, 64
  br i1 %done, label %end, label %loop
end:
  ret i32 %more
}

; CHECK-LABEL: @sum
; CHECK: br i1 %done, label %end, label %loop, !llvm.loop [[WHOLE_SUM:![0-9]+]]
define float @sum(ptr %x) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %p = getelementptr float, ptr %x, i64 %i
  %v = load float, ptr %p
  %more = fadd float %sum, %v
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, 64
  br i1 %done, label %end, label %loop
end:
  ret float %more
}

; CHECK-LABEL: @long_sum
; CHECK: br i1 %done, label %end, label %loop, !llvm.loop [[PART:![0-9]+]]
define float @long_sum(ptr %x) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %p = getelementptr float, ptr %x, i64 %i
  %v = load float, ptr %p
  %more = fadd float %sum, %v
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, 128
  br i1 %done, label %end, label %loop
end:
  ret float %more
}

; CHECK-LABEL: @odd_sum
; CHECK: br i1 %done, label %end, label %loop, !llvm.loop [[REST:![0-9]+]]
define float @odd_sum(ptr %x) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %p = getelementptr float, ptr %x, i64 %i
  %v = load float, ptr %p
  %more = fadd float %sum, %v
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, 129
  br i1 %done, label %end, label %loop
end:
  ret float %more
}
; CHECK-DAG: [[UNROLLABLE:![0-9]+]] = !{!"falx.loop.unrollable", i32 1}
; CHECK-DAG: [[WHOLE]] = distinct !{[[WHOLE]], [[UNROLLABLE]], [[COUNT:![0-9]+]]}
; CHECK-DAG: [[WHOLE_SUM]] = distinct !{[[WHOLE_SUM]], [[UNROLLABLE]], [[COUNT]]}
; CHECK-DAG: [[COUNT]] = !{!"llvm.loop.unroll.count", i32 64}
; CHECK-DAG: [[PART]] = distinct !{[[PART]], [[UNROLLABLE]], [[EIGHT:![0-9]+]]}
; CHECK-DAG: [[EIGHT]] = !{!"llvm.loop.unroll.count", i32 8}
; CHECK-DAG: [[REST]] = distinct !{[[REST]], [[UNROLLABLE]], [[FOUR:![0-9]+]]}
; CHECK-DAG: [[FOUR]] = !{!"llvm.loop.unroll.count", i32 4}
