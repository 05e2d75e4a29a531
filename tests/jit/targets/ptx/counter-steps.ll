; Steps of counters come behind what looks at the old value.
; RUN: falx-opt --passes=falx-ptx-counter-steps %s | FileCheck %s

define i32 @two_conditions(ptr %p) {
; CHECK-LABEL: @two_conditions
; CHECK: %again = and i1 %more, %small
; CHECK-NEXT: %next = add nuw nsw i32 %i, 1
; CHECK-NEXT: br i1 %again
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add nuw nsw i32 %i, 1
  %x = load volatile float, ptr %p
  %more = icmp ult i32 %i, 399
  %small = fcmp ole float %x, 4.0
  %again = and i1 %more, %small
  br i1 %again, label %loop, label %end
end:
  ret i32 %next
}

; A step that is looked at stays before that, and so does a sum that is no counter's step.
define i32 @used(ptr %p, i32 %n) {
; CHECK-LABEL: @used
; CHECK: %next = add i32 %i, 1
; CHECK-NEXT: %sum = add i32 %i, 2
; CHECK-NEXT: %x = load volatile
; CHECK-NEXT: %more = icmp ult i32 %next, %n
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  %sum = add i32 %i, 2
  %x = load volatile i1, ptr %p
  %more = icmp ult i32 %next, %n
  %again = and i1 %more, %x
  br i1 %again, label %loop, label %end
end:
  ret i32 %sum
}

; Two steps in one block both come to its end.
define i64 @two_counters(ptr %p) {
; CHECK-LABEL: @two_counters
; CHECK: %again = and i1 %more, %far
; CHECK-NEXT: %next = add i32 %i, 1
; CHECK-NEXT: %next.at = add i64 %at, 8
; CHECK-NEXT: br i1 %again
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %at = phi i64 [ 0, %entry ], [ %next.at, %loop ]
  %next = add i32 %i, 1
  %next.at = add i64 %at, 8
  %more = icmp ult i32 %i, 399
  %far = icmp ult i64 %at, 512
  %again = and i1 %more, %far
  br i1 %again, label %loop, label %end
end:
  %sum = zext i32 %next to i64
  %both = add i64 %sum, %next.at
  ret i64 %both
}
