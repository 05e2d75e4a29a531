; Loops that end where the lower half of an offset has some value end where all of it has, so that the assembler can
; count their iterations.
; RUN: falx-opt --passes=falx-ptx-exit-tests -S %s | FileCheck %s
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: @constant
; CHECK-NOT: trunc
; CHECK: [[TEST:%[^ ]+]] = icmp eq i64 %next, 16384
; CHECK: br i1 [[TEST]], label %end, label %loop
define i32 @constant(ptr %x) {
entry:
  br label %loop
loop:
  %offset = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %more, %loop ]
  %p = getelementptr i8, ptr %x, i64 %offset
  %v = load i32, ptr %p
  %more = add i32 %sum, %v
  %next = add nuw nsw i64 %offset, 32
  %low = trunc i64 %next to i32
  %done = icmp eq i32 %low, 16384
  br i1 %done, label %end, label %loop
end:
  ret i32 %more
}

; The lower half passes zero on its way: 2^32 - 64, 0, ..., 4096.
; CHECK-LABEL: @wraps
; CHECK: [[WRAPS:%[^ ]+]] = icmp ne i64 %next, 4294971392
; CHECK: br i1 [[WRAPS]], label %loop, label %end
define i32 @wraps(ptr %x) {
entry:
  br label %loop
loop:
  %offset = phi i64 [ 4294967232, %entry ], [ %next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %more, %loop ]
  %p = getelementptr i8, ptr %x, i64 %offset
  %v = load i32, ptr %p
  %more = add i32 %sum, %v
  %next = add i64 %offset, 64
  %low = trunc i64 %next to i32
  %again = icmp ne i32 %low, 4096
  br i1 %again, label %loop, label %end
end:
  ret i32 %more
}

; What the launch knows is computed in front of the loop.
; CHECK-LABEL: @unknown
; CHECK: loop.preheader:
; CHECK: [[LAST:%[^ ]+]] = add i32 %n, -1
; CHECK: [[WIDE:%[^ ]+]] = zext i32 [[LAST]] to i64
; CHECK: [[LIMIT:%[^ ]+]] = add nuw nsw i64 [[WIDE]], 1
; CHECK: [[UNKNOWN:%[^ ]+]] = icmp eq i64 %next, [[LIMIT]]
; CHECK: br i1 [[UNKNOWN]], label %exit, label %loop
define i32 @unknown(ptr %x, i32 %n) {
entry:
  %none = icmp eq i32 %n, 0
  br i1 %none, label %end, label %loop.preheader
loop.preheader:
  br label %loop
loop:
  %offset = phi i64 [ 0, %loop.preheader ], [ %next, %loop ]
  %sum = phi i32 [ 0, %loop.preheader ], [ %more, %loop ]
  %p = getelementptr i32, ptr %x, i64 %offset
  %v = load i32, ptr %p
  %more = add i32 %sum, %v
  %next = add nuw nsw i64 %offset, 1
  %low = trunc i64 %next to i32
  %done = icmp eq i32 %low, %n
  br i1 %done, label %exit, label %loop
exit:
  br label %end
end:
  %r = phi i32 [ 0, %entry ], [ %more, %exit ]
  ret i32 %r
}

; Never equal: the loop has no number of iterations.
; CHECK-LABEL: @endless
; CHECK: trunc
; CHECK: icmp eq i32 %low, 3
define void @endless(ptr %x) {
entry:
  br label %loop
loop:
  %offset = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr i8, ptr %x, i64 %offset
  store volatile i32 0, ptr %p
  %next = add i64 %offset, 2
  %low = trunc i64 %next to i32
  %done = icmp eq i32 %low, 3
  br i1 %done, label %end, label %loop
end:
  ret void
}

; Another test needs the half, and the loop may end before.
; CHECK-LABEL: @two_exits
; CHECK: icmp eq i32 %low, 16384
define i32 @two_exits(ptr %x) {
entry:
  br label %loop
loop:
  %offset = phi i64 [ 0, %entry ], [ %next, %rest ]
  %p = getelementptr i8, ptr %x, i64 %offset
  %v = load i32, ptr %p
  %found = icmp eq i32 %v, 0
  br i1 %found, label %end, label %rest
rest:
  %next = add nuw nsw i64 %offset, 32
  %low = trunc i64 %next to i32
  %done = icmp eq i32 %low, 16384
  br i1 %done, label %end, label %loop
end:
  ret i32 %v
}
