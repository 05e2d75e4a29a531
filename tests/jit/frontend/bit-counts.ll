; A loop that clears one bit after the other counts bits.
; RUN: falx-opt "--passes=falx-bit-counts,function(loop(loop-deletion))" %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

define i32 @count(i64 %given) {
; CHECK-LABEL: @count
; CHECK: call i64 @llvm.ctpop.i64(i64 %given)
; CHECK-NOT: br label %loop
; CHECK: ret i32
entry:
  %none = icmp eq i64 %given, 0
  br i1 %none, label %end, label %before
before:
  br label %loop
loop:
  %x = phi i64 [ %given, %before ], [ %rest, %loop ]
  %n = phi i32 [ 0, %before ], [ %more, %loop ]
  %more = add nuw nsw i32 %n, 1
  %less = add i64 %x, -1
  %rest = and i64 %x, %less
  %done = icmp eq i64 %rest, 0
  br i1 %done, label %out, label %loop
out:
  br label %end
end:
  %result = phi i32 [ 0, %entry ], [ %more, %out ]
  ret i32 %result
}

; What each bit is used for stays a loop.
define void @visit(i64 %given, ptr %to) {
; CHECK-LABEL: @visit
; CHECK: store volatile i64
entry:
  %none = icmp eq i64 %given, 0
  br i1 %none, label %end, label %before
before:
  br label %loop
loop:
  %x = phi i64 [ %given, %before ], [ %rest, %loop ]
  store volatile i64 %x, ptr %to
  %less = add i64 %x, -1
  %rest = and i64 %x, %less
  %done = icmp eq i64 %rest, 0
  br i1 %done, label %end, label %loop
end:
  ret void
}
