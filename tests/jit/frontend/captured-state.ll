; Each work-item has a copy of what the kernel writes of its function object, and of nothing else.
; RUN: split-file %s %t
; RUN: falx-opt --passes=falx-captured-state %t/store.ll | FileCheck %t/store.ll
; RUN: falx-opt --passes=falx-captured-state %t/reads.ll | FileCheck %t/reads.ll
; RUN: falx-opt --passes=falx-captured-state %t/array.ll | FileCheck %t/array.ll
; RUN: falx-opt --passes=falx-captured-state %t/joined.ll | FileCheck %t/joined.ll
; RUN: falx-opt --passes=falx-captured-state %t/memcpy.ll | FileCheck %t/memcpy.ll
; RUN: falx-opt --passes=falx-captured-state %t/phi.ll | FileCheck %t/phi.ll
; RUN: falx-opt --passes=falx-captured-state %t/ends.ll | FileCheck %t/ends.ll
; RUN: falx-opt --passes=falx-captured-state %t/escape.ll | FileCheck %t/escape.ll
; RUN: falx-opt --passes=falx-captured-state %t/calls.ll | FileCheck %t/calls.ll
; RUN: falx-opt --passes=falx-captured-state %t/group.ll | FileCheck %t/group.ll
; RUN: falx-opt --passes=falx-captured-state %t/kept.ll | FileCheck %t/kept.ll
; RUN: falx-opt --passes=falx-captured-state %t/kept-and-written.ll | FileCheck %t/kept-and-written.ll
; RUN: falx-opt --passes=falx-captured-state %t/kept-in-kernel.ll | FileCheck %t/kept-in-kernel.ll
; RUN: not falx-opt --passes=falx-captured-state %t/no-size.ll 2>&1 | FileCheck %t/no-size.ll

;--- store.ll
; A member that is written has a copy, the others stay where they are.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
%struct.K = type { i32, i32, [2 x i64], ptr }

define void @kernel(ptr align 8 dereferenceable(32) %f, i64 %i, i1 %c) "falx-kind"="2" {
; CHECK-LABEL: @kernel
; CHECK-NEXT: entry:
entry:
; CHECK-NEXT: [[COPY:%.*]] = alloca [4 x i8], align 4
; CHECK-NEXT: [[FROM:%.*]] = getelementptr inbounds i8, ptr %f, i64 4
; CHECK-NEXT: call void @llvm.memcpy.p0.p0.i64(ptr align 4 [[COPY]], ptr align 4 [[FROM]], i64 4, i1 false)
  %left = getelementptr %struct.K, ptr %f, i64 0, i32 1
; CHECK: load i32, ptr [[COPY]]
  %n = load i32, ptr %left
  %less = sub i32 %n, 1
; CHECK: store i32 %less, ptr [[COPY]]
  store i32 %less, ptr %left
; CHECK: load i32, ptr %f
  %first = load i32, ptr %f
; CHECK: [[OUT:%.*]] = getelementptr %struct.K, ptr %f, i64 0, i32 3
; CHECK: load ptr, ptr [[OUT]]
  %at = getelementptr %struct.K, ptr %f, i64 0, i32 3
  %out = load ptr, ptr %at
  store i32 %first, ptr %out
  ret void
}

;--- reads.ll
; What is only read has no copy, wherever it is read. A captured pointer may be written through.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
%struct.K = type { i32, i32, [2 x i64], ptr }

define void @kernel(ptr align 8 dereferenceable(32) %f, i64 %i, i1 %c) "falx-kind"="2" {
; CHECK-LABEL: @kernel
; CHECK-NEXT: entry:
entry:
; CHECK-NOT: alloca
  %table = getelementptr %struct.K, ptr %f, i64 0, i32 2
  %at = getelementptr [2 x i64], ptr %table, i64 0, i64 %i
  %anywhere = getelementptr i8, ptr %f, i64 %i
  %chosen = select i1 %c, ptr %at, ptr %anywhere
  %n = load i64, ptr %chosen
  %same = icmp eq ptr %chosen, %f
  %pointer = getelementptr i8, ptr %f, i64 24
  %out = load ptr, ptr %pointer
  store i64 %n, ptr %out
  %old = atomicrmw add ptr %out, i64 1 monotonic
  call void @llvm.memcpy.p0.p0.i64(ptr %out, ptr %f, i64 32, i1 false)
  call i32 @reads(ptr %f)
  ret void
}

define internal i32 @reads(ptr %p) noinline {
  %at = getelementptr i8, ptr %p, i64 4
  %n = load i32, ptr %at
  %again = icmp eq i32 %n, 0
  br i1 %again, label %recursion, label %end
recursion:
  %m = call i32 @reads(ptr %at)
  ret i32 %m
end:
  ret i32 %n
}

;--- array.ll
; Of an array that is written at an index that is not known, the array; what is read with it as a whole joins it.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
%struct.K = type { i32, i32, [2 x i64], ptr }

define void @kernel(ptr align 8 dereferenceable(32) %f, i64 %i, i1 %c) "falx-kind"="2" {
; CHECK-LABEL: @kernel
; CHECK-NEXT: entry:
entry:
; CHECK-NEXT: [[COPY:%.*]] = alloca [16 x i8], align 8
; CHECK-NEXT: [[FROM:%.*]] = getelementptr inbounds i8, ptr %f, i64 8
; CHECK-NEXT: call void @llvm.memcpy.p0.p0.i64(ptr align 8 [[COPY]], ptr align 8 [[FROM]], i64 16, i1 false)
  %table = getelementptr %struct.K, ptr %f, i64 0, i32 2
; CHECK: %at = getelementptr [2 x i64], ptr [[COPY]], i64 0, i64 %i
  %at = getelementptr [2 x i64], ptr %table, i64 0, i64 %i
  store i64 7, ptr %at
; CHECK: %second = getelementptr i64, ptr [[COPY]], i64 %i
  %second = getelementptr i64, ptr %table, i64 %i
  %n = load i64, ptr %second
; CHECK: load i64, ptr [[COPY]]
  %m = load i64, ptr %table
; The address of what has a known place stands at the beginning.
; CHECK: load i32, ptr {{%[0-9]+}}
  %last = getelementptr i8, ptr %f, i64 16
  %l = load i32, ptr %last
; CHECK: load i32, ptr %f
  %first = load i32, ptr %f
  ret void
}

;--- joined.ll
; What overlaps a written extent is copied along: here a structure that is copied as a whole.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
%struct.K = type { i32, i32, [2 x i64], ptr }
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

define void @kernel(ptr align 8 dereferenceable(32) %f, i64 %i, i1 %c) "falx-kind"="2" {
; CHECK-LABEL: @kernel
; CHECK-NEXT: entry:
entry:
; CHECK-NEXT: [[COPY:%.*]] = alloca [8 x i8], align 8

; CHECK-NEXT: call void @llvm.memcpy
; CHECK: [[PART:%.*]] = getelementptr inbounds i8, ptr [[COPY]], i64 4
  %left = getelementptr %struct.K, ptr %f, i64 0, i32 1
; CHECK: store i32 3, ptr [[PART]]
  store i32 3, ptr %left
  %pointer = getelementptr i8, ptr %f, i64 24
; CHECK: %out = load ptr, ptr %pointer
  %out = load ptr, ptr %pointer
; CHECK: call void @llvm.memcpy.p0.p0.i64(ptr %out, ptr [[COPY]], i64 8, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %out, ptr %f, i64 8, i1 false)
  ret void
}

;--- memcpy.ll
; Writes are also copies into the object, and atomic operations, which nobody else can see.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
%struct.K = type { i32, i32, [2 x i64], ptr }
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

define void @kernel(ptr align 8 dereferenceable(32) %f, i64 %i, i1 %c) "falx-kind"="2" {
; CHECK-LABEL: @kernel
; CHECK-NEXT: entry:
entry:
; CHECK-NEXT: [[ATOMIC:%.*]] = alloca [4 x i8], align 4
; CHECK-NEXT: [[COPIED:%.*]] = alloca [12 x i8], align 8
  %table = getelementptr %struct.K, ptr %f, i64 0, i32 2
  %pointer = getelementptr i8, ptr %f, i64 24
  %in = load ptr, ptr %pointer
; CHECK: call void @llvm.memcpy.p0.p0.i64(ptr [[COPIED]], ptr %in, i64 12, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %table, ptr %in, i64 12, i1 false)
  %left = getelementptr %struct.K, ptr %f, i64 0, i32 1
; CHECK-NOT: atomicrmw
; CHECK: [[OLD:%.*]] = load i32, ptr [[ATOMIC]]
; CHECK: store i32 {{%.*}}, ptr [[ATOMIC]]
; CHECK-NOT: cmpxchg
  %old = atomicrmw add ptr %left, i32 1 seq_cst
  %pair = cmpxchg ptr %left, i32 1, i32 2 seq_cst seq_cst
; CHECK-NOT: load atomic
  %now = load atomic i32, ptr %left monotonic, align 4
  ret void
}

;--- phi.ll
; A pointer that may be into the object or elsewhere is into the copy or there.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
%struct.K = type { i32, i32, [2 x i64], ptr }

define void @kernel(ptr align 8 dereferenceable(32) %f, i64 %i, i1 %c) "falx-kind"="2" {
; CHECK-LABEL: @kernel
; CHECK-NEXT: entry:
entry:
; CHECK-NEXT: [[COPY:%.*]] = alloca [32 x i8], align 8
; CHECK: call void @llvm.memcpy.p0.p0.i64(ptr align 8 [[COPY]], ptr align 8 {{.*}}, i64 32, i1 false)
  %pointer = getelementptr i8, ptr %f, i64 24
  %out = load ptr, ptr %pointer
  %left = getelementptr i8, ptr %f, i64 4
; CHECK: br i1 %c
  br i1 %c, label %one, label %two
one:
  br label %two
two:
; CHECK: %p = phi ptr [ %out, %one ], [ [[LEFT:%.*]], {{%.*}} ]
  %p = phi ptr [ %out, %one ], [ %left, %entry ]
  store i32 1, ptr %p
  ret void
}

;--- ends.ll
; A loop over an array by pointers: their ends are compared in the copy as well.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
%struct.K = type { i32, i32, [2 x i64], ptr }

define void @kernel(ptr align 8 dereferenceable(32) %f, i64 %i, i1 %c) "falx-kind"="2" {
; CHECK-LABEL: @kernel
; CHECK-NEXT: entry:
entry:
; CHECK: [[COPY:%.*]] = alloca [16 x i8], align 8
; CHECK: [[END:%.*]] = getelementptr inbounds i8, ptr [[COPY]], i64 16
  %table = getelementptr %struct.K, ptr %f, i64 0, i32 2
  %end = getelementptr [2 x i64], ptr %table, i64 0, i64 2
  br label %loop
loop:
; CHECK: %p = phi ptr [ [[COPY]], %entry ], [ %next, %loop ]
  %p = phi ptr [ %table, %entry ], [ %next, %loop ]
  store i64 1, ptr %p
  %next = getelementptr i64, ptr %p, i64 1
; CHECK: icmp eq ptr %next, [[END]]
  %done = icmp eq ptr %next, %end
  br i1 %done, label %two, label %loop
two:
; CHECK: load i32, ptr %f
  %first = load i32, ptr %f
  ret void
}

;--- escape.ll
; Nobody knows who writes through a pointer that is stored.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
%struct.K = type { i32, i32, [2 x i64], ptr }

define void @kernel(ptr align 8 dereferenceable(32) %f, i64 %i, i1 %c) "falx-kind"="2" {
; CHECK-LABEL: @kernel
; CHECK-NEXT: entry:
entry:
; CHECK-NEXT: [[COPY:%.*]] = alloca [32 x i8], align 8
  %pointer = getelementptr i8, ptr %f, i64 24
; CHECK: %out = load ptr, ptr {{%[0-9]+}}
  %out = load ptr, ptr %pointer
; CHECK: store ptr {{%[0-9]+}}, ptr %out
  %left = getelementptr i8, ptr %f, i64 4
  store ptr %left, ptr %out
  ret void
}

;--- calls.ll
; Functions that are not inlined are looked into; they may hand the pointer back.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
%struct.K = type { i32, i32, [2 x i64], ptr }

define void @kernel(ptr align 8 dereferenceable(32) %f, i64 %i, i1 %c) "falx-kind"="2" {
; CHECK-LABEL: @kernel
; CHECK-NEXT: entry:
entry:
; CHECK-NEXT: [[COPY:%.*]] = alloca [32 x i8], align 8
; CHECK: [[LEFT:%.*]] = getelementptr inbounds i8, ptr [[COPY]], i64 4
  %left = getelementptr i8, ptr %f, i64 4
; CHECK: %same = call ptr @same(ptr [[LEFT]])
  %same = call ptr @same(ptr %left)
  store i32 5, ptr %same
  ret void
}

define internal ptr @same(ptr %p) noinline {
  %n = load i32, ptr %p
  %again = icmp eq i32 %n, 0
  br i1 %again, label %recursion, label %end
recursion:
  %m = call ptr @same(ptr %p)
  ret ptr %m
end:
  ret ptr %p
}

;--- group.ll
; A group has one copy in hierarchical kernels; its work-items may share it.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
%struct.K = type { i32, i32, [2 x i64], ptr }

define void @kernel(ptr align 8 dereferenceable(32) %f, i64 %i, i1 %c) "falx-kind"="3" {
; CHECK-LABEL: @kernel
; CHECK-NEXT: entry:
entry:
; CHECK-NEXT: [[COPY:%.*]] = alloca [4 x i8], align 4
  %left = getelementptr %struct.K, ptr %f, i64 0, i32 1
; CHECK: atomicrmw add ptr [[COPY]], i32 1
  %old = atomicrmw add ptr %left, i32 1 monotonic
  ret void
}

;--- kept.ll
; What is written through one member of a private variable is not written through another.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
%struct.K = type { i32, i32, [2 x i64], ptr }
%struct.S = type { ptr, ptr, [16 x i8] }

define void @kernel(ptr align 8 dereferenceable(32) %f, i64 %i, i1 %c) "falx-kind"="2" {
; CHECK-LABEL: @kernel
; CHECK-NEXT: entry:
entry:
; CHECK-NEXT: %s = alloca
; CHECK-NOT: alloca
  %s = alloca %struct.S
  %pointer = getelementptr i8, ptr %f, i64 24
  %out = load ptr, ptr %pointer
  %left = getelementptr i8, ptr %f, i64 4
  call void @begin(ptr %s, ptr %left, ptr %out)
  %more = call ptr @go_on(ptr %s, i64 %i)
  call void @finish(ptr %more)
  ret void
}


define internal void @begin(ptr %s, ptr %p, ptr %out) noinline {
  store ptr %p, ptr %s
  %at = getelementptr %struct.S, ptr %s, i64 0, i32 1
  store ptr %out, ptr %at
  ret void
}
define internal ptr @go_on(ptr %s, i64 %i) noinline {
  %text = getelementptr %struct.S, ptr %s, i64 0, i32 2
  %at = getelementptr [16 x i8], ptr %text, i64 0, i64 %i
  store i8 1, ptr %at
  ret ptr %s
}
define internal void @finish(ptr %s) noinline {
  %kept = load ptr, ptr %s
  %n = load i32, ptr %kept
  %at = getelementptr %struct.S, ptr %s, i64 0, i32 1
  %out = load ptr, ptr %at
  store i32 %n, ptr %out
  ret void
}

;--- kept-and-written.ll
; Here it is.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
%struct.K = type { i32, i32, [2 x i64], ptr }
%struct.S = type { ptr, ptr, [16 x i8] }

define void @kernel(ptr align 8 dereferenceable(32) %f, i64 %i, i1 %c) "falx-kind"="2" {
; CHECK-LABEL: @kernel
; CHECK-NEXT: entry:
entry:
; CHECK-NEXT: [[COPY:%.*]] = alloca [32 x i8], align 8
; CHECK: [[LEFT:%.*]] = getelementptr inbounds i8, ptr [[COPY]], i64 4
; CHECK: call void @begin(ptr %s, ptr [[LEFT]], ptr %out)
  %s = alloca %struct.S
  %pointer = getelementptr i8, ptr %f, i64 24
  %out = load ptr, ptr %pointer
  %left = getelementptr i8, ptr %f, i64 4
  call void @begin(ptr %s, ptr %left, ptr %out)
  %more = call ptr @go_on(ptr %s, i64 %i)
  call void @finish(ptr %more)
  ret void
}


define internal void @begin(ptr %s, ptr %p, ptr %out) noinline {
  store ptr %p, ptr %s
  %at = getelementptr %struct.S, ptr %s, i64 0, i32 1
  store ptr %out, ptr %at
  ret void
}
define internal ptr @go_on(ptr %s, i64 %i) noinline {
  %text = getelementptr %struct.S, ptr %s, i64 0, i32 2
  %at = getelementptr [16 x i8], ptr %text, i64 0, i64 %i
  store i8 1, ptr %at
  ret ptr %s
}
define internal void @finish(ptr %s) noinline {
  %kept = load ptr, ptr %s
  %n = load i32, ptr %kept
  %at = getelementptr %struct.S, ptr %s, i64 0, i32 0
  %out = load ptr, ptr %at
  store i32 %n, ptr %out
  ret void
}

;--- kept-in-kernel.ll
; Also in variables of the kernel, found by addresses that are not known.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
%struct.K = type { i32, i32, [2 x i64], ptr }

define void @kernel(ptr align 8 dereferenceable(32) %f, i64 %i, i1 %c) "falx-kind"="2" {
; CHECK-LABEL: @kernel
; CHECK-NEXT: entry:
entry:
; CHECK: [[COPY:%.*]] = alloca [32 x i8], align 8
  %s = alloca [4 x ptr]
  %left = getelementptr i8, ptr %f, i64 4
  %here = getelementptr [4 x ptr], ptr %s, i64 0, i64 2
  store ptr %left, ptr %here
  %there = getelementptr [4 x ptr], ptr %s, i64 0, i64 %i
  %p = load ptr, ptr %there
  store i32 1, ptr %p
  ret void
}

;--- no-size.ll
; CHECK: Kernel 'kernel' writes to its function object but does not say how large that is
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
define void @kernel(ptr %f) "falx-kind"="2" {
  store i32 1, ptr %f
  ret void
}
