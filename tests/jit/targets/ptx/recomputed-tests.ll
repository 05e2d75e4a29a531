; What a kernel tests in front of a loop and behind it is computed twice, if registers are gained by that.
; RUN: falx-opt -mtriple=nvptx64-nvidia-cuda -mcpu=sm_90 --passes=falx-ptx-recomputed-tests,verify -S %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

; Five tests of one number. The loop needs neither.
; CHECK-LABEL: define void @elements(
; CHECK:      behind:
; CHECK-NEXT:   [[I:%.*]] = call i32 asm "mov.b32 $0, $1;", "=r,r"(i32 %i)
; CHECK-NEXT:   [[T0:%.*]] = icmp slt i32 [[I]], %n
; CHECK-NEXT:   br i1 [[T0]], label %store.0, label %next.0
; CHECK:      next.0:
; CHECK-NEXT:   [[J:%.*]] = call i32 asm "mov.b32 $0, $1;", "=r,r"(i32 %i)
; CHECK-NEXT:   [[J1:%.*]] = or disjoint i32 [[J]], 256
; CHECK-NEXT:   [[T1:%.*]] = icmp slt i32 [[J1]], %n
; CHECK-NEXT:   br i1 [[T1]], label %store.1, label %next.1
define void @elements(ptr addrspace(1) %a, i32 %n, i32 %steps) {
entry:
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %t0 = icmp slt i32 %i, %n
  %i1 = or disjoint i32 %i, 256
  %t1 = icmp slt i32 %i1, %n
  %i2 = or disjoint i32 %i, 512
  %t2 = icmp slt i32 %i2, %n
  %i3 = or disjoint i32 %i, 768
  %t3 = icmp slt i32 %i3, %n
  %i4 = or disjoint i32 %i, 1024
  %t4 = icmp slt i32 %i4, %n
  %before0 = zext i1 %t0 to i32
  %before1 = select i1 %t1, i32 %before0, i32 3
  %before2 = select i1 %t2, i32 %before1, i32 5
  %before3 = select i1 %t3, i32 %before2, i32 7
  %before4 = select i1 %t4, i32 %before3, i32 9
  br label %loop

loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %x = phi i32 [ %before4, %entry ], [ %x.next, %loop ]
  %x.next = mul i32 %x, 3
  %k.next = add i32 %k, 1
  %more = icmp slt i32 %k.next, %steps
  br i1 %more, label %loop, label %behind

behind:
  br i1 %t0, label %store.0, label %next.0
store.0:
  store i32 %x.next, ptr addrspace(1) %a
  br label %next.0
next.0:
  br i1 %t1, label %store.1, label %next.1
store.1:
  store i32 %x.next, ptr addrspace(1) %a
  br label %next.1
next.1:
  br i1 %t2, label %store.2, label %next.2
store.2:
  store i32 %x.next, ptr addrspace(1) %a
  br label %next.2
next.2:
  %y = select i1 %t3, i32 4, i32 %x.next
  %z = select i1 %t4, i32 8, i32 %y
  store i32 %z, ptr addrspace(1) %a
  ret void
}

; There are registers for the results of a few tests.
; CHECK-LABEL: define void @few(
; CHECK-NOT: asm
; CHECK: ret void
define void @few(ptr addrspace(1) %a, i32 %n, i32 %steps) {
entry:
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %t0 = icmp slt i32 %i, %n
  br i1 %t0, label %side, label %loop
side:
  store i32 1, ptr addrspace(1) %a
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ 0, %side ], [ %k.next, %loop ]
  %k.next = add i32 %k, 1
  %more = icmp slt i32 %k.next, %steps
  br i1 %more, label %loop, label %behind
behind:
  %z = select i1 %t0, i32 8, i32 %k
  store i32 %z, ptr addrspace(1) %a
  ret void
}

; Each test is of a number of its own, which would live on instead.
; CHECK-LABEL: define void @numbers(
; CHECK-NOT: asm
; CHECK: ret void
define void @numbers(ptr addrspace(1) %a, i32 %n, i32 %steps) {
entry:
  %a1 = getelementptr i32, ptr addrspace(1) %a, i64 1
  %a2 = getelementptr i32, ptr addrspace(1) %a, i64 2
  %a3 = getelementptr i32, ptr addrspace(1) %a, i64 3
  %a4 = getelementptr i32, ptr addrspace(1) %a, i64 4
  %v0 = load i32, ptr addrspace(1) %a
  %v1 = load i32, ptr addrspace(1) %a1
  %v2 = load i32, ptr addrspace(1) %a2
  %v3 = load i32, ptr addrspace(1) %a3
  %v4 = load i32, ptr addrspace(1) %a4
  %t0 = icmp slt i32 %v0, %n
  %t1 = icmp slt i32 %v1, %n
  %t2 = icmp slt i32 %v2, %n
  %t3 = icmp slt i32 %v3, %n
  %t4 = icmp slt i32 %v4, %n
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %k.next = add i32 %k, 1
  %more = icmp slt i32 %k.next, %steps
  br i1 %more, label %loop, label %behind
behind:
  %y0 = select i1 %t0, i32 1, i32 %k
  %y1 = select i1 %t1, i32 2, i32 %y0
  %y2 = select i1 %t2, i32 3, i32 %y1
  %y3 = select i1 %t3, i32 4, i32 %y2
  %y4 = select i1 %t4, i32 5, i32 %y3
  store i32 %y4, ptr addrspace(1) %a
  ret void
}

; What is read at an index is no parameter.
; CHECK-LABEL: define void @array(
; CHECK-NOT: asm
; CHECK: ret void
define void @array(ptr byval([8 x i32]) %f, ptr addrspace(1) %a, i32 %steps) {
entry:
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p0 = getelementptr i32, ptr %f, i32 %i
  %p1 = getelementptr i32, ptr %p0, i32 1
  %p2 = getelementptr i32, ptr %p0, i32 2
  %p3 = getelementptr i32, ptr %p0, i32 3
  %p4 = getelementptr i32, ptr %p0, i32 4
  %v0 = load i32, ptr %p0
  %v1 = load i32, ptr %p1
  %v2 = load i32, ptr %p2
  %v3 = load i32, ptr %p3
  %v4 = load i32, ptr %p4
  %t0 = icmp sgt i32 %v0, 0
  %t1 = icmp sgt i32 %v1, 1
  %t2 = icmp sgt i32 %v2, 2
  %t3 = icmp sgt i32 %v3, 3
  %t4 = icmp sgt i32 %v4, 4
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %k.next = add i32 %k, 1
  %more = icmp slt i32 %k.next, %steps
  br i1 %more, label %loop, label %behind
behind:
  %y0 = select i1 %t0, i32 1, i32 %k
  %y1 = select i1 %t1, i32 2, i32 %y0
  %y2 = select i1 %t2, i32 3, i32 %y1
  %y3 = select i1 %t3, i32 4, i32 %y2
  %y4 = select i1 %t4, i32 5, i32 %y3
  store i32 %y4, ptr addrspace(1) %a
  ret void
}

; The loop asks, too, or another one behind it does, time after time.
; CHECK-LABEL: define void @asked(
; CHECK-NOT: asm
; CHECK: ret void
define void @asked(ptr addrspace(1) %a, i32 %n, i32 %steps) {
entry:
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %t0 = icmp slt i32 %i, %n
  %i1 = or disjoint i32 %i, 256
  %t1 = icmp slt i32 %i1, %n
  %i2 = or disjoint i32 %i, 512
  %t2 = icmp slt i32 %i2, %n
  %i3 = or disjoint i32 %i, 768
  %t3 = icmp slt i32 %i3, %n
  %i4 = or disjoint i32 %i, 1024
  %t4 = icmp slt i32 %i4, %n
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %step = select i1 %t0, i32 1, i32 2
  %k.next = add i32 %k, %step
  %more = icmp slt i32 %k.next, %steps
  br i1 %more, label %loop, label %second
second:
  %m = phi i32 [ 0, %loop ], [ %m.next, %second ]
  %step.1 = select i1 %t1, i32 1, i32 2
  %step.2 = select i1 %t2, i32 %step.1, i32 3
  %m.next = add i32 %m, %step.2
  %again = icmp slt i32 %m.next, %steps
  br i1 %again, label %second, label %behind
behind:
  %y0 = select i1 %t0, i32 1, i32 %k
  %y1 = select i1 %t1, i32 2, i32 %y0
  %y2 = select i1 %t2, i32 3, i32 %y1
  %y3 = select i1 %t3, i32 4, i32 %y2
  %y4 = select i1 %t4, i32 5, i32 %y3
  store i32 %y4, ptr addrspace(1) %a
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
