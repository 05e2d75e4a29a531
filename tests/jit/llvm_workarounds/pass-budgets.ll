; LLVM compares each access of an innermost loop with every other one, for what an iteration could hand on to the next: not if
; there are many.
; RUN: llvm-as %s -o %t.bc
; RUN: falx-jit-run %t.bc few 0 1 --time-passes -o %t.so 2>&1 | FileCheck %s --check-prefix=FEW
; RUN: falx-jit-run %t.bc many 0 1 --time-passes -o %t.so 2>&1 | FileCheck %s --check-prefix=MANY
; FEW-DAG: LoopLoadEliminationPass
; MANY: LoopVectorizePass
; MANY-NOT: LoopLoadEliminationPass

; A loop around vectors has no versions for a branch that goes one way in all iterations.
; RUN: falx-jit-run %t.bc around_vectors 0 1 --time-passes -o %t.so 2>&1 | FileCheck %s --check-prefix=AROUND --implicit-check-not=SimpleLoopUnswitchPass
; FEW-DAG: SimpleLoopUnswitchPass
; AROUND: LoopVectorizePass
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @few(ptr %f) {
entry:
  %data = load ptr, ptr %f
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr i32, ptr %data, i64 %i
  %p0 = getelementptr i32, ptr %at, i64 0
  store volatile i32 0, ptr %p0
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, 1000
  br i1 %done, label %end, label %loop
end:
  ret void
}
define void @many(ptr %f) {
entry:
  %data = load ptr, ptr %f
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr i32, ptr %data, i64 %i
  %p0 = getelementptr i32, ptr %at, i64 0
  store volatile i32 0, ptr %p0
  %p1 = getelementptr i32, ptr %at, i64 1000
  store volatile i32 1, ptr %p1
  %p2 = getelementptr i32, ptr %at, i64 2000
  store volatile i32 2, ptr %p2
  %p3 = getelementptr i32, ptr %at, i64 3000
  store volatile i32 3, ptr %p3
  %p4 = getelementptr i32, ptr %at, i64 4000
  store volatile i32 4, ptr %p4
  %p5 = getelementptr i32, ptr %at, i64 5000
  store volatile i32 5, ptr %p5
  %p6 = getelementptr i32, ptr %at, i64 6000
  store volatile i32 6, ptr %p6
  %p7 = getelementptr i32, ptr %at, i64 7000
  store volatile i32 7, ptr %p7
  %p8 = getelementptr i32, ptr %at, i64 8000
  store volatile i32 8, ptr %p8
  %p9 = getelementptr i32, ptr %at, i64 9000
  store volatile i32 9, ptr %p9
  %p10 = getelementptr i32, ptr %at, i64 10000
  store volatile i32 10, ptr %p10
  %p11 = getelementptr i32, ptr %at, i64 11000
  store volatile i32 11, ptr %p11
  %p12 = getelementptr i32, ptr %at, i64 12000
  store volatile i32 12, ptr %p12
  %p13 = getelementptr i32, ptr %at, i64 13000
  store volatile i32 13, ptr %p13
  %p14 = getelementptr i32, ptr %at, i64 14000
  store volatile i32 14, ptr %p14
  %p15 = getelementptr i32, ptr %at, i64 15000
  store volatile i32 15, ptr %p15
  %p16 = getelementptr i32, ptr %at, i64 16000
  store volatile i32 16, ptr %p16
  %p17 = getelementptr i32, ptr %at, i64 17000
  store volatile i32 17, ptr %p17
  %p18 = getelementptr i32, ptr %at, i64 18000
  store volatile i32 18, ptr %p18
  %p19 = getelementptr i32, ptr %at, i64 19000
  store volatile i32 19, ptr %p19
  %p20 = getelementptr i32, ptr %at, i64 20000
  store volatile i32 20, ptr %p20
  %p21 = getelementptr i32, ptr %at, i64 21000
  store volatile i32 21, ptr %p21
  %p22 = getelementptr i32, ptr %at, i64 22000
  store volatile i32 22, ptr %p22
  %p23 = getelementptr i32, ptr %at, i64 23000
  store volatile i32 23, ptr %p23
  %p24 = getelementptr i32, ptr %at, i64 24000
  store volatile i32 24, ptr %p24
  %p25 = getelementptr i32, ptr %at, i64 25000
  store volatile i32 25, ptr %p25
  %p26 = getelementptr i32, ptr %at, i64 26000
  store volatile i32 26, ptr %p26
  %p27 = getelementptr i32, ptr %at, i64 27000
  store volatile i32 27, ptr %p27
  %p28 = getelementptr i32, ptr %at, i64 28000
  store volatile i32 28, ptr %p28
  %p29 = getelementptr i32, ptr %at, i64 29000
  store volatile i32 29, ptr %p29
  %p30 = getelementptr i32, ptr %at, i64 30000
  store volatile i32 30, ptr %p30
  %p31 = getelementptr i32, ptr %at, i64 31000
  store volatile i32 31, ptr %p31
  %p32 = getelementptr i32, ptr %at, i64 32000
  store volatile i32 32, ptr %p32
  %p33 = getelementptr i32, ptr %at, i64 33000
  store volatile i32 33, ptr %p33
  %p34 = getelementptr i32, ptr %at, i64 34000
  store volatile i32 34, ptr %p34
  %p35 = getelementptr i32, ptr %at, i64 35000
  store volatile i32 35, ptr %p35
  %p36 = getelementptr i32, ptr %at, i64 36000
  store volatile i32 36, ptr %p36
  %p37 = getelementptr i32, ptr %at, i64 37000
  store volatile i32 37, ptr %p37
  %p38 = getelementptr i32, ptr %at, i64 38000
  store volatile i32 38, ptr %p38
  %p39 = getelementptr i32, ptr %at, i64 39000
  store volatile i32 39, ptr %p39
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, 1000
  br i1 %done, label %end, label %loop
end:
  ret void
}
define void @around_vectors(ptr %f) {
entry:
  %data = load ptr, ptr %f
  %way = load volatile i1, ptr %data
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %at = getelementptr i32, ptr %data, i64 %i
  br i1 %way, label %one, label %other
one:
  store volatile i32 1, ptr %at
  br label %latch
other:
  store volatile i32 2, ptr %data
  br label %latch
latch:
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, 1000
  br i1 %done, label %end, label %loop, !llvm.loop !0
end:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.isvectorized", i32 1}
