; Loops in which work-items exchange values are copied where the launch says how long they are; where each
; work-item has a length of its own, and those with barriers, are left alone.
; RUN: falx-opt --passes=falx-ptx-unrolling %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

declare i1 @llvm.nvvm.vote.any(i1) convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) convergent nocallback nounwind

; CHECK-LABEL: @captured(
; CHECK-COUNT-5: call i1 @llvm.nvvm.vote.any
; CHECK-NOT: call i1 @llvm.nvvm.vote.any
; CHECK: ret void
define void @captured(ptr %captured, ptr %x) {
entry:
  %field = getelementptr i8, ptr %captured, i64 8
  %n = load i32, ptr %field
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %loop, label %end
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %v = load volatile i32, ptr %x
  %set = icmp ne i32 %v, 0
  %vote = call i1 @llvm.nvvm.vote.any(i1 %set)
  %number = zext i1 %vote to i32
  store volatile i32 %number, ptr %x
  %next = add nuw nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: @own(
; CHECK-COUNT-1: call i1 @llvm.nvvm.vote.any
; CHECK-NOT: call i1 @llvm.nvvm.vote.any
; CHECK: ret void
define void @own(ptr %x, i32 %item) {
entry:
  %field = getelementptr i32, ptr %x, i32 %item
  %n = load i32, ptr %field
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %loop, label %end
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %v = load volatile i32, ptr %x
  %set = icmp ne i32 %v, 0
  %vote = call i1 @llvm.nvvm.vote.any(i1 %set)
  %number = zext i1 %vote to i32
  store volatile i32 %number, ptr %x
  %next = add nuw nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: @barriers(
; CHECK-COUNT-1: call void @llvm.nvvm.barrier
; CHECK-NOT: call void @llvm.nvvm.barrier
; CHECK: ret void
define void @barriers(ptr %x, i32 %n) {
entry:
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %loop, label %end
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %v = load volatile i32, ptr %x
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = add nuw nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  ret void
}
