; Loops of at most eight iterations are unrolled whole, with the exits of each copy; so are those for what copies of
; other loops leave over, unless the program forbids it.
; RUN: falx-opt --passes=falx-ptx-unrolling %s | FileCheck %s --check-prefix=ASKED
; RUN: falx-opt --passes='falx-ptx-unrolling,loop-unroll,falx-ptx-unroll-remainders,verify' %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; ASKED-LABEL: @few
; ASKED: br i1 %done, label %end, label %loop, !llvm.loop [[FEW:![0-9]+]]
; CHECK-LABEL: @few
; CHECK-COUNT-7: load float
; CHECK-NOT: load float
define float @few(ptr %x, i32 %m) {
entry:
  %n = and i32 %m, 7
  %none = icmp eq i32 %n, 0
  br i1 %none, label %end, label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %p = getelementptr float, ptr %x, i32 %i
  %v = load float, ptr %p
  %more = fadd float %sum, %v
  %next = add nuw nsw i32 %i, 1
  %done = icmp eq i32 %next, %n
  br i1 %done, label %end, label %loop
end:
  %r = phi float [ 0.0, %entry ], [ %more, %loop ]
  ret float %r
}

; Another exit does not matter.
; ASKED-LABEL: @two_exits
; CHECK-LABEL: @two_exits
; ASKED: br i1 %done, label %end, label %loop, !llvm.loop [[EXITS:![0-9]+]]
define float @two_exits(ptr %x, i32 %m) {
entry:
  %n = and i32 %m, 3
  %none = icmp eq i32 %n, 0
  br i1 %none, label %end, label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %after ]
  %p = getelementptr float, ptr %x, i32 %i
  %v = load float, ptr %p
  %found = fcmp ogt float %v, 1.0
  br i1 %found, label %end, label %after
after:
  %next = add nuw nsw i32 %i, 1
  %done = icmp eq i32 %next, %n
  br i1 %done, label %end, label %loop
end:
  %r = phi float [ 0.0, %entry ], [ %v, %loop ], [ 1.0, %after ]
  ret float %r
}

; Nine may be too many.
; ASKED-LABEL: @nine
; CHECK-LABEL: @nine
; ASKED: br i1 %done, label %end, label %loop, !llvm.loop [[NINE:![0-9]+]]
define float @nine(ptr %x, i32 %m) {
entry:
  %n = call i32 @llvm.umin.i32(i32 %m, i32 9)
  %none = icmp eq i32 %n, 0
  br i1 %none, label %end, label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %v = uitofp i32 %i to float
  %more = fadd float %sum, %v
  %next = add nuw nsw i32 %i, 1
  %done = icmp eq i32 %next, %n
  br i1 %done, label %end, label %loop
end:
  %r = phi float [ 0.0, %entry ], [ %more, %loop ]
  ret float %r
}
declare i32 @llvm.umin.i32(i32, i32)

; Four copies in a loop, and three for what is left.
; CHECK-LABEL: @any
; CHECK-COUNT-7: load float
; CHECK-NOT: load float
define float @any(ptr %x, i64 %n) {
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
  br i1 %done, label %end, label %loop
end:
  ret float %more
}

; CHECK-LABEL: @forbidden
; CHECK-COUNT-1: load float
; CHECK-NOT: load float
define float @forbidden(ptr %x, i32 %m) {
entry:
  %n = and i32 %m, 7
  %none = icmp eq i32 %n, 0
  br i1 %none, label %end, label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %p = getelementptr float, ptr %x, i32 %i
  %v = load float, ptr %p
  %more = fadd float %sum, %v
  %next = add nuw nsw i32 %i, 1
  %done = icmp eq i32 %next, %n
  br i1 %done, label %end, label %loop, !llvm.loop !0
end:
  %r = phi float [ 0.0, %entry ], [ %more, %loop ]
  ret float %r
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.disable"}

; ASKED-DAG: [[FEW]] = distinct !{[[FEW]], [[ANY:![0-9]+]], [[ENABLE:![0-9]+]]}
; ASKED-DAG: [[ENABLE]] = !{!"llvm.loop.unroll.enable", i32 1}
; ASKED-DAG: [[EXITS]] = distinct !{[[EXITS]], [[ANY]], [[ENABLE]]}
; ASKED-DAG: [[NINE]] = distinct !{[[NINE]], [[ANY]]}
