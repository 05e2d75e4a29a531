; Masks that several blocks use have lanes as wide as what is compared and selected.
; RUN: falx-opt -mtriple=x86_64 -mcpu=haswell --passes=falx-mask-widths -S %s | FileCheck %s
; RUN: falx-opt -mtriple=x86_64 -mcpu=haswell --passes=falx-mask-widths -S %s | llc -mtriple=x86_64 -mcpu=haswell | FileCheck %s --check-prefix=CODE
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Two registers of lanes leave a loop one by one. Whether any is left is asked of both registers joined.
; CHECK-LABEL: define <16 x float> @leave(
; CHECK: loop:
; CHECK: %live.wide = phi <16 x i32> [ splat (i32 -1), %entry ], [ %stay.wide, %loop ]
; CHECK: %inside = fcmp ole <16 x float> %x, splat (float 4.000000e+00)
; CHECK: %inside.wide = sext <16 x i1> %inside to <16 x i32>
; CHECK: %[[INSIDE:.*]] = freeze <16 x i32> %inside.wide
; CHECK: %stay.wide = and <16 x i32> %live.wide, %[[INSIDE]]
; CHECK: %[[STAY:.*]] = icmp slt <16 x i32> %stay.wide, zeroinitializer
; CHECK: select <16 x i1> %[[STAY]], <16 x float> %next, <16 x float> %x
; CHECK: %[[LOW:.*]] = shufflevector <16 x i32> %stay.wide, {{.*}}<i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
; CHECK: %[[HIGH:.*]] = shufflevector <16 x i32> %stay.wide, {{.*}}<i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
; CHECK: %[[SOME:.*]] = or <8 x i32> %[[LOW]], %[[HIGH]]
; CHECK: %[[ANY:.*]] = icmp slt <8 x i32> %[[SOME]], zeroinitializer
; CHECK: %[[BITS:.*]] = bitcast <8 x i1> %[[ANY]] to i8
; CHECK: icmp eq i8 %[[BITS]], 0
; CODE-LABEL: leave:
; CODE-NOT: vpack
; CODE-NOT: vpmovzx
; CODE: vtestps
; CODE-LABEL: .Lfunc_end0
define <16 x float> @leave(<16 x float> %first, <16 x float> %c) {
entry:
  br label %loop
loop:
  %live = phi <16 x i1> [ splat (i1 true), %entry ], [ %stay, %loop ]
  %x = phi <16 x float> [ %first, %entry ], [ %y, %loop ]
  %inside = fcmp ole <16 x float> %x, splat (float 4.0)
  %stay = select <16 x i1> %live, <16 x i1> %inside, <16 x i1> zeroinitializer
  %square = fmul <16 x float> %x, %x
  %next = fadd <16 x float> %square, %c
  %y = select <16 x i1> %stay, <16 x float> %next, <16 x float> %x
  %bits = bitcast <16 x i1> %stay to i16
  %none = icmp eq i16 %bits, 0
  br i1 %none, label %exit, label %loop
exit:
  ret <16 x float> %y
}

; All lanes: and; one of two masks, lane by lane; what is selected says the width.
; CHECK-LABEL: define <4 x double> @all(
; CHECK: %small.wide = sext <4 x i1> %small to <4 x i64>
; CHECK: then:
; CHECK: %large.wide = sext <4 x i1> %large to <4 x i64>
; CHECK: %[[SMALL:.*]] = icmp slt <4 x i64> %small.wide, zeroinitializer
; CHECK: %either.wide = select <4 x i1> %[[SMALL]], <4 x i64> %large.wide, <4 x i64> {{.*}}
; CHECK: %[[BITS:.*]] = bitcast <4 x i1> %{{.*}} to i4
; CHECK: icmp ne i4 %[[BITS]], -1
; CODE-LABEL: all:
; CODE-NOT: vpack
; CODE-LABEL: .Lfunc_end1
define <4 x double> @all(<4 x double> %a, <4 x double> %b, i1 %which) {
entry:
  %small = fcmp olt <4 x double> %a, %b
  %other = fcmp ord <4 x double> %a, %b
  br i1 %which, label %then, label %exit
then:
  %large = fcmp ogt <4 x double> %a, splat (double 1.0)
  %either = select <4 x i1> %small, <4 x i1> %large, <4 x i1> %other
  %bits = bitcast <4 x i1> %either to i4
  %some = icmp ne i4 %bits, -1
  br i1 %some, label %exit, label %more
more:
  ret <4 x double> %a
exit:
  %from = phi <4 x i1> [ %small, %entry ], [ %either, %then ]
  %c = select <4 x i1> %from, <4 x double> %a, <4 x double> %b
  ret <4 x double> %c
}

; A mask of one block is left to code generation, which sees all of it.
; CHECK-LABEL: define <8 x float> @in_one_block(
; CHECK-NOT: wide
; CHECK: ret
define <8 x float> @in_one_block(<8 x float> %a, <8 x float> %b) {
  %small = fcmp olt <8 x float> %a, %b
  %less = fcmp olt <8 x float> %b, splat (float 1.0)
  %both = and <8 x i1> %small, %less
  %c = select <8 x i1> %both, <8 x float> %a, <8 x float> %b
  ret <8 x float> %c
}

; A mask of 64 lanes of words would take eight registers.
; CHECK-LABEL: define <64 x i32> @many_lanes(
; CHECK-NOT: wide
; CHECK: ret
define <64 x i32> @many_lanes(<64 x i32> %a, <64 x i32> %b, i1 %which) {
entry:
  %small = icmp slt <64 x i32> %a, %b
  br i1 %which, label %then, label %exit
then:
  %c = select <64 x i1> %small, <64 x i32> %a, <64 x i32> %b
  ret <64 x i32> %c
exit:
  ret <64 x i32> %a
}

; Arguments and constants among the masks; single lanes, numbers of masks and parts of them are taken from what is wide.
; CHECK-LABEL: define i1 @parts(
; CHECK: %given.wide = sext <16 x i1> %given to <16 x i32>
; CHECK: %mask.wide = phi <16 x i32> [ %given.wide, %entry ], [ %small.wide, %then ]
; CHECK: %[[MASK:.*]] = icmp slt <16 x i32> %mask.wide, zeroinitializer
; CHECK: store <16 x i1> %[[MASK]], ptr %to
; CHECK: %part.wide = shufflevector <16 x i32> %mask.wide, <16 x i32> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
; CHECK: %[[PART:.*]] = icmp slt <8 x i32> %part.wide, zeroinitializer
; CHECK: call void @llvm.masked.store.v8i32.p0({{.*}}<8 x i1> %[[PART]])
; CHECK: extractelement <16 x i1> %[[MASK]], i64 3
define i1 @parts(<16 x i1> %given, <16 x i32> %a, ptr %to, ptr %data, i1 %which) {
entry:
  br i1 %which, label %then, label %exit
then:
  %small = icmp slt <16 x i32> %a, splat (i32 7)
  br label %exit
exit:
  %mask = phi <16 x i1> [ %given, %entry ], [ %small, %then ]
  store <16 x i1> %mask, ptr %to
  %part = shufflevector <16 x i1> %mask, <16 x i1> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  call void @llvm.masked.store.v8i32.p0(<8 x i32> zeroinitializer, ptr align 4 %data, <8 x i1> %part)
  %lane = extractelement <16 x i1> %mask, i64 3
  ret i1 %lane
}
declare void @llvm.masked.store.v8i32.p0(<8 x i32>, ptr, <8 x i1>)

; A mask that families of different widths take.
; CHECK-LABEL: define void @two_families(
; CHECK-DAG: sext <8 x i1> %given to <8 x i64>
; CHECK-DAG: sext <8 x i1> %given to <8 x i32>
define void @two_families(<8 x i1> %given, <8 x i32> %a, <8 x double> %b, ptr %to, i1 %which) {
entry:
  br i1 %which, label %then, label %exit
then:
  %small = icmp slt <8 x i32> %a, splat (i32 7)
  %less = fcmp olt <8 x double> %b, splat (double 7.0)
  br label %exit
exit:
  %mask = phi <8 x i1> [ %given, %entry ], [ %small, %then ]
  %other = phi <8 x i1> [ %given, %entry ], [ %less, %then ]
  %c = select <8 x i1> %mask, <8 x i32> %a, <8 x i32> zeroinitializer
  %d = select <8 x i1> %other, <8 x double> %b, <8 x double> zeroinitializer
  store <8 x i32> %c, ptr %to
  %rest = getelementptr i8, ptr %to, i64 32
  store <8 x double> %d, ptr %rest
  ret void
}
