; Loops that compute with bytes are not vectorized; loops that move them, and bitwise operations, are.
; RUN: falx-opt --passes=falx-ptx-byte-vectors -S %s | FileCheck %s
; RUN: falx-opt -mtriple=nvptx64-nvidia-cuda -mcpu=sm_90 --passes=falx-ptx-byte-vectors,loop-vectorize -S %s \
; RUN:   | FileCheck %s --check-prefix=VECTORS
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: @compared(
; CHECK: br i1 %done, label %end, label %loop, !llvm.loop [[SCALAR:![0-9]+]]
; VECTORS-LABEL: @compared(
; VECTORS-NOT: <4 x i8>
; VECTORS-LABEL: @filled(
define i1 @compared(ptr %x, i64 %n, i8 %wanted) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %found = phi i1 [ false, %entry ], [ %more, %loop ]
  %p = getelementptr i8, ptr %x, i64 %i
  %v = load i8, ptr %p
  %same = icmp eq i8 %v, %wanted
  %more = or i1 %found, %same
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop
end:
  ret i1 %more
}

; CHECK-LABEL: @filled(
; CHECK: br i1 %done, label %end, label %loop{{$}}
; VECTORS: store <4 x i8>
define void @filled(ptr noalias %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr i8, ptr %x, i64 %i
  store i8 7, ptr %p
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop
end:
  ret void
}

; VECTORS-LABEL: @copied(
; VECTORS: xor <4 x i8>
; CHECK-LABEL: @copied(
; CHECK: br i1 %done, label %end, label %loop{{$}}
define void @copied(ptr noalias %x, ptr noalias %y, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr i8, ptr %x, i64 %i
  %q = getelementptr i8, ptr %y, i64 %i
  %v = load i8, ptr %q
  %masked = xor i8 %v, 90
  store i8 %masked, ptr %p
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop
end:
  ret void
}

; VECTORS-LABEL: @added(
; VECTORS-NOT: <4 x i8>
; CHECK-LABEL: @added(
; CHECK: br i1 %done, label %end, label %loop, !llvm.loop [[SECOND:![0-9]+]]
define void @added(ptr noalias %x, ptr noalias %y, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr i8, ptr %x, i64 %i
  %q = getelementptr i8, ptr %y, i64 %i
  %v = load i8, ptr %q
  %sum = add i8 %v, 3
  store i8 %sum, ptr %p
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop
end:
  ret void
}

; Numbers of 16 bits have instructions for pairs.
; VECTORS-LABEL: @pairs(
; VECTORS: add <2 x i16>
; CHECK-LABEL: @pairs(
; CHECK: br i1 %done, label %end, label %loop{{$}}
define void @pairs(ptr noalias %x, ptr noalias %y, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr i16, ptr %x, i64 %i
  %q = getelementptr i16, ptr %y, i64 %i
  %v = load i16, ptr %q
  %sum = add i16 %v, 3
  store i16 %sum, ptr %p
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop
end:
  ret void
}

; Dequantization: pairs of halves.
; CHECK-LABEL: @converted(
; CHECK: br i1 %done, label %end, label %loop{{$}}
; VECTORS-LABEL: @converted(
; VECTORS: fmul <2 x half>
define void @converted(ptr noalias %x, ptr noalias %y, i64 %n, half %scale) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr half, ptr %x, i64 %i
  %q = getelementptr i8, ptr %y, i64 %i
  %v = load i8, ptr %q
  %h = sitofp i8 %v to half
  %product = fmul half %h, %scale
  store half %product, ptr %p
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop
end:
  ret void
}

; The program wants it.
; CHECK-LABEL: @demanded(
; CHECK: br i1 %done, label %end, label %loop, !llvm.loop [[DEMANDED:![0-9]+]]
define void @demanded(ptr noalias %x, ptr noalias %y, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr i8, ptr %x, i64 %i
  %q = getelementptr i8, ptr %y, i64 %i
  %v = load i8, ptr %q
  %sum = add i8 %v, 3
  store i8 %sum, ptr %p
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop, !llvm.loop !0
end:
  ret void
}

; CHECK-DAG: [[SCALAR]] = distinct !{[[SCALAR]], [[OFF:![0-9]+]]}
; CHECK-DAG: [[OFF]] = !{!"llvm.loop.vectorize.enable", i32 0}
; CHECK-DAG: [[SECOND]] = distinct !{[[SECOND]], [[OFF]]}
; CHECK-DAG: [[DEMANDED]] = distinct !{[[DEMANDED]], [[ON:![0-9]+]]}
; CHECK-DAG: [[ON]] = !{!"llvm.loop.vectorize.enable", i1 true}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.vectorize.enable", i1 true}
