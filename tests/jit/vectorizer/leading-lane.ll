; Loops that go on while any lane does ask the first lane as a number, then all; behind the exit there is no lane.
; RUN: falx-opt --passes=falx-leading-lane -S %s | FileCheck %s

; Begun by a comparison, whose first lane is a number as well.
; CHECK-LABEL: define <4 x i32> @strided(
; CHECK: entry:
; CHECK: %[[BEGINS:.*]] = icmp ult i32 %begin, %end
; CHECK: br i1 %none.at.first, label %exit, label %loop
; CHECK: loop:
; CHECK: %live = phi <4 x i1> [ %first, %entry ], [ %stay, %loop.rest ], [ %stay, %loop.test ]
; CHECK: %i = phi i32 [ %begin, %entry ], [ %next, %loop.rest ], [ %next, %loop.test ]
; CHECK: %leads = phi i1 [ %[[BEGINS]], %entry ], [ false, %loop.rest ], [ %leads, %loop.test ]
; CHECK: %stay = and <4 x i1> %live, %goes.on
; CHECK: %[[GOES_ON:.*]] = icmp ult i32 %next, %end
; CHECK: %[[FROZEN:.*]] = freeze i1 %[[GOES_ON]]
; CHECK: br i1 %[[FROZEN]], label %loop.test, label %loop.rest, !prof ![[LIKELY:[0-9]+]]
; CHECK: loop.test:
; CHECK-NEXT: br i1 %leads, label %loop, label %loop.rest, !prof ![[LIKELY]]
; CHECK: loop.rest:
; CHECK-NEXT: br i1 %none, label %left, label %loop, !prof ![[LIKELY]], !llvm.loop
; CHECK: left:
; CHECK-NEXT: select <4 x i1> zeroinitializer, <4 x i32> %sum, <4 x i32> %more
define <4 x i32> @strided(i32 %begin, i32 %end, ptr %data) {
entry:
  %ends.one = insertelement <4 x i32> poison, i32 %end, i64 0
  %ends = shufflevector <4 x i32> %ends.one, <4 x i32> poison, <4 x i32> zeroinitializer
  %begins.one = insertelement <4 x i32> poison, i32 %begin, i64 0
  %begins = shufflevector <4 x i32> %begins.one, <4 x i32> poison, <4 x i32> zeroinitializer
  %at.first = add <4 x i32> %begins, <i32 0, i32 1, i32 2, i32 3>
  %first = icmp ult <4 x i32> %at.first, %ends
  %first.bits = bitcast <4 x i1> %first to i4
  %none.at.first = icmp eq i4 %first.bits, 0
  br i1 %none.at.first, label %exit, label %loop
loop:
  %live = phi <4 x i1> [ %first, %entry ], [ %stay, %loop ]
  %i = phi i32 [ %begin, %entry ], [ %next, %loop ]
  %sum = phi <4 x i32> [ zeroinitializer, %entry ], [ %more, %loop ]
  %at = getelementptr i32, ptr %data, i32 %i
  %value = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr align 4 %at, <4 x i1> %live, <4 x i32> zeroinitializer)
  %more = add <4 x i32> %sum, %value
  %next = add nuw i32 %i, 4
  %one = insertelement <4 x i32> poison, i32 %next, i64 0
  %all = shufflevector <4 x i32> %one, <4 x i32> poison, <4 x i32> zeroinitializer
  %lanes = add nuw <4 x i32> %all, <i32 0, i32 1, i32 2, i32 3>
  %goes.on = icmp ult <4 x i32> %lanes, %ends
  %stay = and <4 x i1> %live, %goes.on
  %bits = bitcast <4 x i1> %stay to i4
  %none = icmp eq i4 %bits, 0
  br i1 %none, label %left, label %loop, !llvm.loop !0
left:
  %result = select <4 x i1> %stay, <4 x i32> %sum, <4 x i32> %more
  br label %exit
exit:
  %sums = phi <4 x i32> [ zeroinitializer, %entry ], [ %result, %left ]
  ret <4 x i32> %sums
}

; A mask from elsewhere is asked for its first lane once; a conjunction by selection, the other way round.
; CHECK-LABEL: define void @given(
; CHECK: %[[FIRST:.*]] = extractelement <4 x i1> %active, i64 0
; CHECK: %leads = phi i1 [ %[[FIRST]], %entry ], [ false, %latch.rest ], [ %leads, %latch.test ]
; CHECK: %[[NEXT:.*]] = add i64 %next, 1
; CHECK: %[[LESS:.*]] = icmp slt i64 %[[NEXT]], 100
; CHECK: br i1 %any, label %loop, label %exit, !prof ![[UNLIKELY:[0-9]+]]
define void @given(<4 x i1> %active, ptr %data) {
entry:
  br label %loop
loop:
  %live = phi <4 x i1> [ %active, %entry ], [ %stay, %latch ]
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %at = getelementptr i32, ptr %data, i64 %i
  call void @llvm.masked.store.v4i32.p0(<4 x i32> splat (i32 1), ptr align 4 %at, <4 x i1> %live)
  br label %latch
latch:
  %next = add i64 %i, 4
  %one = insertelement <4 x i64> poison, i64 %next, i64 0
  %all = shufflevector <4 x i64> %one, <4 x i64> poison, <4 x i32> zeroinitializer
  %lanes = add nsw <4 x i64> %all, <i64 1, i64 2, i64 3, i64 4>
  %goes.on = icmp slt <4 x i64> %lanes, splat (i64 100)
  %stay = select <4 x i1> %goes.on, <4 x i1> %live, <4 x i1> zeroinitializer
  %bits = bitcast <4 x i1> %stay to i4
  %any = icmp ne i4 %bits, 0
  br i1 %any, label %loop, label %exit
exit:
  ret void
}

; All lanes begin. One loop behind the other: the way from the first to the second changes, too.
; CHECK-LABEL: define void @two(
; CHECK: one:
; CHECK: %leads{{.*}} = phi i1 [ true, %entry ], [ false, %one.rest ], [ %leads{{.*}}, %one.test ]
; CHECK: two:
; CHECK: phi <4 x i1> [ splat (i1 true), %one.rest ], [ %stay.two, %two.rest ], [ %stay.two, %two.test ]
; CHECK: %leads{{.*}} = phi i1 [ true, %one.rest ], [ false, %two.rest ], [ %leads{{.*}}, %two.test ]
define void @two(ptr %data, <4 x i32> %lanes) {
entry:
  br label %one
one:
  %live.one = phi <4 x i1> [ splat (i1 true), %entry ], [ %stay.one, %one ]
  %i = phi i32 [ 0, %entry ], [ %i.next, %one ]
  call void @llvm.masked.store.v4i32.p0(<4 x i32> %lanes, ptr align 4 %data, <4 x i1> %live.one)
  %i.next = add i32 %i, 4
  %i.one = insertelement <4 x i32> poison, i32 %i.next, i64 0
  %i.all = shufflevector <4 x i32> %i.one, <4 x i32> poison, <4 x i32> zeroinitializer
  %goes.on.one = icmp ult <4 x i32> %i.all, <i32 4, i32 6, i32 8, i32 10>
  %stay.one = and <4 x i1> %goes.on.one, %live.one
  %bits.one = bitcast <4 x i1> %stay.one to i4
  %none.one = icmp eq i4 %bits.one, 0
  br i1 %none.one, label %two, label %one
two:
  %live.two = phi <4 x i1> [ splat (i1 true), %one ], [ %stay.two, %two ]
  %j = phi i32 [ 0, %one ], [ %j.next, %two ]
  call void @llvm.masked.store.v4i32.p0(<4 x i32> %lanes, ptr align 4 %data, <4 x i1> %live.two)
  %j.next = add i32 %j, 4
  %j.one = insertelement <4 x i32> poison, i32 %j.next, i64 0
  %j.all = shufflevector <4 x i32> %j.one, <4 x i32> poison, <4 x i32> zeroinitializer
  %goes.on.two = icmp ult <4 x i32> %j.all, <i32 4, i32 6, i32 8, i32 10>
  %stay.two = and <4 x i1> %goes.on.two, %live.two
  %bits.two = bitcast <4 x i1> %stay.two to i4
  %none.two = icmp eq i4 %bits.two, 0
  br i1 %none.two, label %exit, label %two
exit:
  ret void
}

; What each lane has of its own has no number; of floating point, vectors and numbers may differ.
; CHECK-LABEL: define void @varying(
; CHECK-NOT: leads
define void @varying(ptr %data, <4 x i32> %counts) {
entry:
  br label %loop
loop:
  %live = phi <4 x i1> [ splat (i1 true), %entry ], [ %stay, %loop ]
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void @llvm.masked.store.v4i32.p0(<4 x i32> %counts, ptr align 4 %data, <4 x i1> %live)
  %next = add i32 %i, 1
  %one = insertelement <4 x i32> poison, i32 %next, i64 0
  %all = shufflevector <4 x i32> %one, <4 x i32> poison, <4 x i32> zeroinitializer
  %goes.on = icmp ult <4 x i32> %all, %counts
  %stay = and <4 x i1> %live, %goes.on
  %bits = bitcast <4 x i1> %stay to i4
  %none = icmp eq i4 %bits, 0
  br i1 %none, label %exit, label %loop
exit:
  ret void
}
; CHECK-LABEL: define void @floats(
; CHECK-NOT: leads
define void @floats(ptr %data, float %limit) {
entry:
  %limit.one = insertelement <4 x float> poison, float %limit, i64 0
  %limits = shufflevector <4 x float> %limit.one, <4 x float> poison, <4 x i32> zeroinitializer
  br label %loop
loop:
  %live = phi <4 x i1> [ splat (i1 true), %entry ], [ %stay, %loop ]
  %x = phi float [ 0.0, %entry ], [ %next, %loop ]
  call void @llvm.masked.store.v4f32.p0(<4 x float> %limits, ptr align 4 %data, <4 x i1> %live)
  %next = fadd float %x, 1.0
  %one = insertelement <4 x float> poison, float %next, i64 0
  %all = shufflevector <4 x float> %one, <4 x float> poison, <4 x i32> zeroinitializer
  %lanes = fadd <4 x float> %all, <float 0.0, float 1.0, float 2.0, float 3.0>
  %goes.on = fcmp olt <4 x float> %lanes, %limits
  %stay = and <4 x i1> %live, %goes.on
  %bits = bitcast <4 x i1> %stay to i4
  %none = icmp eq i4 %bits, 0
  br i1 %none, label %exit, label %loop
exit:
  ret void
}

!0 = distinct !{!0}
