; Masked accesses that the target has no instruction for: lanes that are not active access something else, without branches.
; RUN: falx-opt -mtriple=x86_64 -mcpu=haswell --passes=falx-branchless-accesses -S %s | FileCheck %s
; RUN: falx-opt -mtriple=x86_64 -mcpu=haswell --passes=falx-branchless-accesses -S %s | llc -mtriple=x86_64 -mcpu=haswell | FileCheck %s --check-prefix=CODE
; RUN: falx-opt -mtriple=x86_64 -mcpu=skylake-avx512 --passes=falx-branchless-accesses -S %s | FileCheck %s --check-prefix=AVX512
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK: [[ZEROS:@.*zeros]] = private constant [16 x i8] zeroinitializer, align 16
; CHECK: [[BYTES:@.*3]] = private constant [8 x i8] zeroinitializer, align 8

; CHECK-LABEL: define <4 x i32> @gather(
; CHECK-NEXT: %[[AT:.*]] = select <4 x i1> %mask, <4 x ptr> %at, <4 x ptr> <ptr [[ZEROS]], ptr [[ZEROS]], ptr [[ZEROS]], ptr [[ZEROS]]>
; CHECK-NEXT: %[[AT0:.*]] = extractelement <4 x ptr> %[[AT]], i64 0
; CHECK-NEXT: %[[LANE0:.*]] = load i32, ptr %[[AT0]], align 4, !tbaa
; CHECK-NEXT: %[[V0:.*]] = insertelement <4 x i32> poison, i32 %[[LANE0]], i64 0
; CHECK-COUNT-3: load i32
; CHECK-NOT: select
; CHECK: ret
; CODE-LABEL: gather:
; CODE-NOT: {{[[:space:]]}}j
; CODE: ret
; AVX512-LABEL: @gather(
; AVX512: call <4 x i32> @llvm.masked.gather
define <4 x i32> @gather(<4 x ptr> %at, <4 x i1> %mask) {
  %x = call <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr> align 4 %at, <4 x i1> %mask, <4 x i32> zeroinitializer), !tbaa !0
  ret <4 x i32> %x
}

; CHECK-LABEL: define <4 x i32> @other(
; CHECK: select <4 x i1> %mask, <4 x i32> %{{.*}}, <4 x i32> %otherwise
define <4 x i32> @other(<4 x ptr> %at, <4 x i1> %mask, <4 x i32> %otherwise) {
  %x = call <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr> align 4 %at, <4 x i1> %mask, <4 x i32> %otherwise)
  ret <4 x i32> %x
}

; Of all lanes: a base and an index, which is taken from memory if nobody else wants it, else out of its vector.
; CHECK-LABEL: define <4 x i32> @all(
; CHECK: %[[I0:.*]] = load i32, ptr %{{.*}}, align 16
; CHECK-NEXT: getelementptr inbounds i8, ptr %indices, i64 4
; CHECK-NEXT: load i32, ptr %{{.*}}, align 4
; CHECK: store i32 5, ptr %other
; CHECK: %[[WIDE:.*]] = zext i32 %[[I0]] to i64
; CHECK: %[[FROM:.*]] = getelementptr i32, ptr %base, i64 %[[WIDE]]
; CHECK: load i32, ptr %[[FROM]], align 4
; CHECK-NOT: load <4 x i32>
; CHECK: %[[K:.*]] = extractelement <4 x i64> %numbers, i64 0
; CHECK: getelementptr i32, ptr %base, i64 %[[K]]
; CODE-LABEL: all:
; CODE: movl (%{{.*}}), %[[I:e[a-z]*]]
; CODE: (%{{r[a-z]*}},%r{{[a-z]*}},4)
; AVX512-LABEL: @all(
; AVX512: load <4 x i32>
; AVX512: call <4 x i32> @llvm.masked.gather
define <4 x i32> @all(ptr %indices, ptr %base, ptr %other, <4 x i64> %numbers) {
  %index = load <4 x i32>, ptr %indices
  store i32 5, ptr %other
  %wide = zext <4 x i32> %index to <4 x i64>
  %at = getelementptr i32, ptr %base, <4 x i64> %wide
  %x = call <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr> align 4 %at, <4 x i1> splat (i1 true), <4 x i32> poison)
  %at.numbers = getelementptr i32, ptr %base, <4 x i64> %numbers
  %y = call <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr> align 4 %at.numbers, <4 x i1> splat (i1 true), <4 x i32> poison)
  %sum = add <4 x i32> %x, %y
  ret <4 x i32> %sum
}

; Where rows start is taken out of its vector before the loop, in which all lanes add the same; each in as many
; bits as the vector has, so that it wraps as before.
; CHECK-LABEL: define void @rows(
; CHECK: %starts = mul <4 x i32> %rows, %length
; CHECK-NEXT: %[[LAST:.*]] = extractelement <4 x i32> %starts, i64 3
; CHECK: %[[FIRST:.*]] = extractelement <4 x i32> %starts, i64 0
; CHECK: loop:
; CHECK-NOT: extractelement
; CHECK: %[[SUM:.*]] = add i32 %[[FIRST]], %k
; CHECK-NEXT: %[[WIDE:.*]] = sext i32 %[[SUM]] to i64
; CHECK-NEXT: getelementptr float, ptr %base, i64 %[[WIDE]]
; CHECK: add i32 %[[LAST]], %k
; CHECK-NOT: extractelement
; CHECK: br i1
define void @rows(<4 x i32> %rows, <4 x i32> %length, ptr %base, ptr %to, i32 %n) {
entry:
  %starts = mul <4 x i32> %rows, %length
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi <4 x float> [ zeroinitializer, %entry ], [ %more, %loop ]
  %k.0 = insertelement <4 x i32> poison, i32 %k, i64 0
  %ks = shufflevector <4 x i32> %k.0, <4 x i32> poison, <4 x i32> zeroinitializer
  %index = add <4 x i32> %starts, %ks
  %wide = sext <4 x i32> %index to <4 x i64>
  %at = getelementptr float, ptr %base, <4 x i64> %wide
  %x = call <4 x float> @llvm.masked.gather.v4f32.v4p0(<4 x ptr> align 4 %at, <4 x i1> splat (i1 true), <4 x float> poison)
  %more = fadd <4 x float> %sum, %x
  %next = add i32 %k, 1
  %goes.on = icmp slt i32 %next, %n
  br i1 %goes.on, label %loop, label %end
end:
  store <4 x float> %more, ptr %to
  ret void
}

; Not what changes from iteration to iteration: it is taken where it is used.
; CHECK-LABEL: define void @walk(
; CHECK: loop:
; CHECK: extractelement <4 x i64> %at, i64 0
define void @walk(<4 x i64> %first, <4 x i64> %steps, ptr %base, ptr %to, i64 %n) {
entry:
  br label %loop
loop:
  %at = phi <4 x i64> [ %first, %entry ], [ %next, %loop ]
  %k = phi i64 [ 0, %entry ], [ %k.next, %loop ]
  %p = getelementptr i32, ptr %base, <4 x i64> %at
  %x = call <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr> align 4 %p, <4 x i1> splat (i1 true), <4 x i32> poison)
  store <4 x i32> %x, ptr %to
  %next = add <4 x i64> %at, %steps
  %k.next = add i64 %k, 1
  %goes.on = icmp slt i64 %k.next, %n
  br i1 %goes.on, label %loop, label %end
end:
  ret void
}

; What one gather loads the other one loads from.
; CHECK-LABEL: define <4 x i32> @behind(
; CHECK-COUNT-4: load ptr
; CHECK: %[[P:.*]] = insertelement <4 x ptr> %{{.*}}, i64 3
; CHECK: select <4 x i1> %mask, <4 x ptr> %[[P]],
; CHECK-COUNT-4: load i32
define <4 x i32> @behind(<4 x ptr> %at, <4 x i1> %mask) {
  %p = call <4 x ptr> @llvm.masked.gather.v4p0.v4p0(<4 x ptr> align 8 %at, <4 x i1> %mask, <4 x ptr> zeroinitializer)
  %x = call <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr> align 4 %p, <4 x i1> %mask, <4 x i32> zeroinitializer)
  ret <4 x i32> %x
}

; The last of two lanes with one address wins, as they are stored in order.
; CHECK-LABEL: define void @scatter(
; CHECK: %nowhere = alloca [4 x i8], align 4
; CHECK: %[[AT:.*]] = select <4 x i1> %mask, <4 x ptr> %at, <4 x ptr> %
; CHECK: extractelement <4 x i32> %x, i64 0
; CHECK: extractelement <4 x ptr> %[[AT]], i64 0
; CHECK-NEXT: store i32
; CHECK: extractelement <4 x i32> %x, i64 3
; CHECK: extractelement <4 x ptr> %[[AT]], i64 3
; CHECK-NEXT: store i32
; CODE-LABEL: scatter:
; CODE-NOT: {{[[:space:]]}}j
; CODE: ret
define void @scatter(<4 x i32> %x, <4 x ptr> %at, <4 x i1> %mask) {
  call void @llvm.masked.scatter.v4i32.v4p0(<4 x i32> %x, <4 x ptr> align 4 %at, <4 x i1> %mask)
  ret void
}

; Neighbours are loaded whole from a page that an active lane reads. If none is active, no page is touched.
; CHECK-LABEL: define <8 x i8> @neighbours(
; CHECK: %[[BITS:.*]] = bitcast <8 x i1> %mask to i8
; CHECK: %[[SOME:.*]] = icmp ne i8 %[[BITS]], 0
; CHECK: %[[FROM:.*]] = select i1 %[[SOME]], ptr %at, ptr [[BYTES]]
; CHECK: %[[NUMBER:.*]] = ptrtoint ptr %[[FROM]] to i64
; CHECK: %[[PLACE:.*]] = and i64 %[[NUMBER]], 4095
; CHECK: %[[WHOLE:.*]] = icmp ule i64 %[[PLACE]], 4088
; CHECK: br i1 %[[WHOLE]]
; CHECK: %[[ALL:.*]] = load <8 x i8>, ptr %[[FROM]], align 1
; CHECK: select <8 x i1> %mask, <8 x i8> %[[ALL]], <8 x i8> zeroinitializer
; CHECK: getelementptr i8, ptr %at, <8 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>
; CHECK-COUNT-8: load i8
; AVX512-LABEL: @neighbours(
; AVX512: call <8 x i8> @llvm.masked.load
define <8 x i8> @neighbours(ptr %at, <8 x i1> %mask) {
  %x = call <8 x i8> @llvm.masked.load.v8i8.p0(ptr align 1 %at, <8 x i1> %mask, <8 x i8> zeroinitializer)
  ret <8 x i8> %x
}

; CHECK-LABEL: define void @store_neighbours(
; CHECK: %[[AT:.*]] = getelementptr i8, ptr %at, <8 x i64> <i64 0, i64 2, i64 4,
; CHECK: select <8 x i1> %mask, <8 x ptr> %[[AT]], <8 x ptr> %
; CHECK-COUNT-8: store i16 %{{.*}}, align 2
define void @store_neighbours(<8 x i16> %x, ptr %at, <8 x i1> %mask) {
  call void @llvm.masked.store.v8i16.p0(<8 x i16> %x, ptr align 16 %at, <8 x i1> %mask)
  ret void
}

; What has an instruction keeps it, and masks that are known need no branches.
; CHECK-LABEL: define void @stay(
; CHECK: call <8 x i32> @llvm.masked.load
; CHECK: call <4 x i32> @llvm.masked.gather
define void @stay(ptr %from, <4 x ptr> %at, <8 x i1> %mask, ptr %to) {
  %x = call <8 x i32> @llvm.masked.load.v8i32.p0(ptr align 4 %from, <8 x i1> %mask, <8 x i32> zeroinitializer)
  store <8 x i32> %x, ptr %to
  %y = call <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr> align 4 %at, <4 x i1> <i1 true, i1 true, i1 false, i1 true>, <4 x i32> zeroinitializer)
  store <4 x i32> %y, ptr %to
  ret void
}

!0 = !{!1, !1, i64 0}
!1 = !{!"int", !2}
!2 = !{!"root"}
