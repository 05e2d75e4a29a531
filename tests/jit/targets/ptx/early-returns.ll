; Conditions of early returns become one branch if the second one costs little and may be asked always.
; RUN: falx-opt --passes=falx-ptx-early-returns %s | FileCheck %s

define void @both(ptr byval([16 x i8]) align 8 %function, i32 %i, i1 %outside, ptr %out) {
; CHECK-LABEL: @both
; CHECK:         %n = load i32, ptr %function, align 4, !invariant.load
; CHECK-NEXT:    %[[IDLE:.*]] = icmp uge i32 %i, %n
; CHECK-NEXT:    %[[EITHER:.*]] = select i1 %outside, i1 true, i1 %[[IDLE]]
; CHECK-NEXT:    br i1 %[[EITHER]], label %end, label %work
  br i1 %outside, label %end, label %body
body:
  %n = load i32, ptr %function, !invariant.load !0
  %busy = icmp ult i32 %i, %n
  br i1 %busy, label %work, label %end
; CHECK:       work:
; CHECK-NEXT:    %sum = phi i32 [ 0, %0 ], [ %next, %work ]
work:
  %sum = phi i32 [ 0, %body ], [ %next, %work ]
  %next = add i32 %sum, %n
  store i32 %next, ptr %out
  %again = icmp ult i32 %next, 100
  br i1 %again, label %work, label %end
end:
  ret void
}

; What is read elsewhere may not be there for work-items outside.
define void @loads(i1 %outside, ptr %in, ptr %out) {
; CHECK-LABEL: @loads
; CHECK:         br i1 %outside, label %end, label %body
  br i1 %outside, label %end, label %body
body:
  %v = load i32, ptr %in
  %idle = icmp eq i32 %v, 0
  br i1 %idle, label %end, label %work
work:
  store i32 %v, ptr %out
  ret void
end:
  ret void
}

; Two blocks that return; a third condition; facts that hold only inside are dropped.
define void @three(ptr byval([16 x i8]) align 8 %function, i32 %i, i1 %outside, ptr %out) {
; CHECK-LABEL: @three
; CHECK:         %n = load i32, ptr %function, align 4{{$}}
; CHECK-NEXT:    %idle
; CHECK:         %sum = add i32 %i, %n
; CHECK:         br i1 %{{.*}}, label %end, label %work
; CHECK-NOT:     br
; CHECK:       work:
  br i1 %outside, label %end, label %body
body:
  %n = load i32, ptr %function, !noundef !0
  %idle = icmp eq i32 %i, %n
  br i1 %idle, label %other, label %more
more:
  %sum = add i32 %i, %n
  %odd = trunc i32 %sum to i1
  br i1 %odd, label %end, label %work
work:
  store i32 %sum, ptr %out
  ret void
other:
  ret void
end:
  ret void
}

; Work in between.
define void @stores(i1 %outside, i1 %idle, ptr %out) {
; CHECK-LABEL: @stores
; CHECK:         br i1 %outside, label %end, label %body
  br i1 %outside, label %end, label %body
body:
  store i32 1, ptr %out
  br i1 %idle, label %end, label %work
work:
  store i32 2, ptr %out
  ret void
end:
  ret void
}

!0 = !{}
