; Work-items are expected not to come to calls that print or are cold: the nearest branches that decide it say so.
; RUN: falx-opt -mtriple=x86_64-linux-gnu --passes=falx-cold-calls %s | FileCheck %s
declare i32 @printf(ptr, ...)
declare i32 @puts(ptr)
declare void @complain() cold
declare void @usual()
@text = private constant [6 x i8] c"wrong\00"

; CHECK-LABEL: @prints(
; CHECK: br i1 %is.wrong, label %report, label %next, !prof ![[UNLIKELY:[0-9]+]]
; CHECK: br i1 %is.right, label %end, label %also, !prof ![[LIKELY:[0-9]+]]
; CHECK: br i1 %is.even, label %even, label %odd{{$}}
define void @prints(i1 %is.wrong, i1 %is.right, i1 %is.even) {
  br i1 %is.wrong, label %report, label %next
report:
  call i32 (ptr, ...) @printf(ptr @text)
  br label %next
next:
  br i1 %is.right, label %end, label %also
also:
  br i1 %is.even, label %even, label %odd
even:
  br label %joined
odd:
  br label %joined
joined:
  call i32 @puts(ptr @text)
  br label %end
end:
  ret void
}

; By two ways, a cold function, and one that is not; what the program says stays.
; CHECK-LABEL: @others(
; CHECK: br i1 %a, label %cold, label %or, !prof ![[UNLIKELY]]
; CHECK: br i1 %b, label %cold, label %usual, !prof ![[UNLIKELY]]
; CHECK: br i1 %c, label %again, label %last{{$}}
; CHECK: br i1 %d, label %expected, label %end, !prof ![[SAID:[0-9]+]]
define void @others(i1 %a, i1 %b, i1 %c, i1 %d) {
  br i1 %a, label %cold, label %or
or:
  br i1 %b, label %cold, label %usual
cold:
  call void @complain()
  ret void
usual:
  br i1 %c, label %again, label %last
again:
  call void @usual()
  br label %last
last:
  br i1 %d, label %expected, label %end, !prof !0
expected:
  call void @complain()
  br label %end
end:
  ret void
}

; All that a loop does is to print: whether it goes on says nothing.
; CHECK-LABEL: @list(
; CHECK: br i1 %goes.on, label %loop, label %end{{$}}
define void @list(i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  call i32 (ptr, ...) @printf(ptr @text, i64 %i)
  %next = add i64 %i, 1
  %goes.on = icmp ult i64 %next, %n
  br i1 %goes.on, label %loop, label %end
end:
  ret void
}

; A way into a cycle without branches, from both of its blocks.
; CHECK-LABEL: @endless(
; CHECK: br i1 %a, label %here, label %there
define void @endless(i1 %a) {
  br i1 %a, label %here, label %there
here:
  call i32 @puts(ptr @text)
  br label %there
there:
  call i32 @puts(ptr @text)
  br label %here
}

; CHECK-DAG: ![[UNLIKELY]] = !{!"branch_weights", {{.*}}i32 1, i32 1048575}
; CHECK-DAG: ![[LIKELY]] = !{!"branch_weights", {{.*}}i32 1048575, i32 1}
; CHECK-DAG: ![[SAID]] = !{!"branch_weights", i32 3, i32 1}
!0 = !{!"branch_weights", i32 3, i32 1}
