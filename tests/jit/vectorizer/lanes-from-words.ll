; Bytes that leave a vector one by one leave it eight at once, from four of a word on.
; RUN: falx-opt -mtriple=x86_64 -mcpu=znver4 --passes=falx-lanes-from-words -S %s | FileCheck %s
; RUN: falx-opt -mtriple=x86_64 -mcpu=znver4 --passes=falx-lanes-from-words -S %s | llc -mtriple=x86_64 -mcpu=znver4 | FileCheck %s --check-prefix=CODE
; RUN: sed s/e-m:e/E-m:e/ %s | falx-opt --passes=falx-lanes-from-words -S | FileCheck %s --check-prefix=BIG
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Four of the second word: it is taken out once, and so that a byte of poison stays one byte. Two of the first
; word stay as they are.
; CHECK-LABEL: @counters(
; CHECK: [[WHOLE:%.*]] = freeze <16 x i8> %v
; CHECK: [[WORDS:%.*]] = bitcast <16 x i8> [[WHOLE]] to <2 x i64>
; CHECK: [[WORD:%.*]] = extractelement <2 x i64> [[WORDS]], i64 1
; CHECK: and i64 [[WORD]], 255
; CHECK: [[SHIFTED:%.*]] = lshr i64 [[WORD]], 8
; CHECK: and i64 [[SHIFTED]], 255
; CHECK: lshr i64 [[WORD]], 48
; CHECK: lshr i64 [[WORD]], 56
; CHECK: extractelement <16 x i8> %v, i64 0
; CHECK: extractelement <16 x i8> %v, i64 7
; CHECK-NOT: freeze
; CODE-LABEL: counters:
; CODE: vpextrq $1
; CODE-NOT: vpextrb $8
; CODE: retq
; BIG-LABEL: @counters(
; BIG-NOT: lshr
; BIG: ret void
define void @counters(ptr %counts, <16 x i8> %v) {
  %b8 = extractelement <16 x i8> %v, i64 8
  %i8 = zext i8 %b8 to i64
  %at8 = getelementptr i32, ptr %counts, i64 %i8
  store i32 8, ptr %at8
  %b9 = extractelement <16 x i8> %v, i64 9
  %i9 = zext i8 %b9 to i64
  %at9 = getelementptr i32, ptr %counts, i64 %i9
  store i32 9, ptr %at9
  %b14 = extractelement <16 x i8> %v, i64 14
  %i14 = zext i8 %b14 to i64
  %at14 = getelementptr i32, ptr %counts, i64 %i14
  store i32 14, ptr %at14
  %b15 = extractelement <16 x i8> %v, i64 15
  %i15 = zext i8 %b15 to i64
  %at15 = getelementptr i32, ptr %counts, i64 %i15
  store i32 15, ptr %at15
  %b0 = extractelement <16 x i8> %v, i64 0
  %i0 = zext i8 %b0 to i64
  %at0 = getelementptr i32, ptr %counts, i64 %i0
  store i32 0, ptr %at0
  %b7 = extractelement <16 x i8> %v, i64 7
  %i7 = zext i8 %b7 to i64
  %at7 = getelementptr i32, ptr %counts, i64 %i7
  store i32 7, ptr %at7
  ret void
}

; However they are used: extended with their sign, to fewer bits, several times, as they are.
; CHECK-LABEL: @uses(
; CHECK: [[WORD:%.*]] = extractelement <1 x i64> {{.*}}, i64 0
; CHECK: [[B0:%.*]] = trunc i64 [[WORD]] to i8
; CHECK: sext i8 [[B0]] to i32
; CHECK: [[AND:%.*]] = and i64 {{.*}}, 255
; CHECK: trunc i64 [[AND]] to i16
; CHECK: [[SHIFTED:%.*]] = lshr i64 [[WORD]], 16
; CHECK: [[B2:%.*]] = trunc i64 [[SHIFTED]] to i8
; CHECK: [[ALSO:%.*]] = and i64 [[SHIFTED]], 255
; CHECK: [[NUMBER:%.*]] = trunc i64 [[ALSO]] to i32
; CHECK: store i8 [[B2]]
; CHECK: store i32 [[NUMBER]]
; CHECK: zext i8 {{.*}} to i128
define void @uses(ptr %p, ptr %q, <8 x i8> %v) {
  %b0 = extractelement <8 x i8> %v, i64 0
  %w0 = sext i8 %b0 to i32
  store i32 %w0, ptr %p
  %b1 = extractelement <8 x i8> %v, i64 1
  %w1 = zext i8 %b1 to i16
  store i16 %w1, ptr %q
  %b2 = extractelement <8 x i8> %v, i64 2
  %w2 = zext i8 %b2 to i32
  store i8 %b2, ptr %p
  store i32 %w2, ptr %q
  %b3 = extractelement <8 x i8> %v, i64 3
  %w3 = zext i8 %b3 to i128
  store i128 %w3, ptr %p
  ret void
}

; Not of vectors that are no whole words, of other elements, or by variables.
; CHECK-LABEL: @others(
; CHECK-NOT: lshr
; CHECK: ret i32
define i32 @others(<12 x i8> %twelve, <4 x i16> %shorts, <8 x i8> %v, i64 %lane) {
  %a0 = extractelement <12 x i8> %twelve, i64 0
  %a1 = extractelement <12 x i8> %twelve, i64 1
  %a2 = extractelement <12 x i8> %twelve, i64 2
  %a3 = extractelement <12 x i8> %twelve, i64 3
  %s0 = extractelement <4 x i16> %shorts, i64 0
  %s1 = extractelement <4 x i16> %shorts, i64 1
  %s2 = extractelement <4 x i16> %shorts, i64 2
  %s3 = extractelement <4 x i16> %shorts, i64 3
  %v0 = extractelement <8 x i8> %v, i64 0
  %v1 = extractelement <8 x i8> %v, i64 1
  %v2 = extractelement <8 x i8> %v, i64 2
  %vl = extractelement <8 x i8> %v, i64 %lane
  %a = add i8 %a0, %a1
  %b = add i8 %a2, %a3
  %c = add i8 %v0, %v1
  %d = add i8 %v2, %vl
  %ab = add i8 %a, %b
  %cd = add i8 %c, %d
  %abcd = add i8 %ab, %cd
  %s = add i16 %s0, %s1
  %t = add i16 %s2, %s3
  %st = add i16 %s, %t
  %x = zext i8 %abcd to i32
  %y = zext i16 %st to i32
  %sum = add i32 %x, %y
  ret i32 %sum
}
