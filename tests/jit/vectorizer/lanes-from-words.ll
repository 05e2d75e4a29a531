; Bytes that leave a vector one by one leave it eight at once, from four of a word on; those of a vector that is loaded for
; nothing else are loaded so.
; RUN: falx-opt -mtriple=x86_64 -mcpu=znver4 --passes=falx-lanes-from-words -S %s | FileCheck %s
; RUN: falx-opt -mtriple=x86_64 -mcpu=znver4 --passes=falx-lanes-from-words -S %s | llc -mtriple=x86_64 -mcpu=znver4 | FileCheck %s --check-prefix=CODE
; RUN: sed s/e-m:e/E-m:e/ %s | falx-opt --passes=falx-lanes-from-words -S | FileCheck %s --check-prefix=BIG
; RUN: falx-opt -mtriple=x86_64 --passes=falx-loaded-lanes-from-words -S %s | FileCheck %s --check-prefix=LOADED
; LOADED-LABEL: @counters(
; LOADED-NOT: lshr
; LOADED-LABEL: @uses(
; LOADED-NOT: lshr
; LOADED-LABEL: @loaded(
; LOADED-COUNT-2: load i64
; LOADED-LABEL: @vectors(
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

; CHECK-LABEL: @loaded(
; CHECK-NOT: = load <
; CHECK: %[[WORD_0:.*]] = load i64, ptr %{{.*}}, align 16, !noalias
; CHECK: %[[FROZEN_0:.*]] = freeze i64 %[[WORD_0]]
; CHECK: %[[AT:.*]] = getelementptr inbounds i8, ptr %in, i64 8
; CHECK: %[[WORD_1:.*]] = load i64, ptr %[[AT]], align 8, !noalias
; CHECK: %[[FROZEN_1:.*]] = freeze i64 %[[WORD_1]]
; CHECK: store i8 0, ptr %in
; CHECK: trunc i64 %[[FROZEN_0]] to i8
; CHECK: lshr i64 %[[FROZEN_1]], 24
; CHECK-NOT: <16 x i8>
; CHECK: ret i8
define i8 @loaded(ptr %in) {
  %v = load <16 x i8>, ptr %in, align 16, !noalias !0
  store i8 0, ptr %in
  %b0 = extractelement <16 x i8> %v, i64 0
  %b1 = extractelement <16 x i8> %v, i64 1
  %b2 = extractelement <16 x i8> %v, i64 2
  %b3 = extractelement <16 x i8> %v, i64 3
  %b8 = extractelement <16 x i8> %v, i64 8
  %b9 = extractelement <16 x i8> %v, i64 9
  %b10 = extractelement <16 x i8> %v, i64 10
  %b11 = extractelement <16 x i8> %v, i64 11
  %s1 = add i8 %b0, %b1
  %s2 = add i8 %b2, %b3
  %s3 = add i8 %b8, %b9
  %s4 = add i8 %b10, %b11
  %s5 = add i8 %s1, %s2
  %s6 = add i8 %s3, %s4
  %s7 = add i8 %s5, %s6
  ret i8 %s7
}

; The vector is loaded if it is needed, volatile, or has a word of which less is taken.
; CHECK-LABEL: @vectors(
; CHECK-COUNT-3: load {{.*}}<16 x i8>
; CHECK-NOT: load
; CHECK: ret i8
define i8 @vectors(ptr %in, ptr %out) {
  %v = load <16 x i8>, ptr %in
  store <16 x i8> %v, ptr %out
  %w = load volatile <16 x i8>, ptr %in
  %x = load <16 x i8>, ptr %in
  %v0 = extractelement <16 x i8> %v, i64 0
  %v1 = extractelement <16 x i8> %v, i64 1
  %v2 = extractelement <16 x i8> %v, i64 2
  %v3 = extractelement <16 x i8> %v, i64 3
  %v8 = extractelement <16 x i8> %v, i64 8
  %v9 = extractelement <16 x i8> %v, i64 9
  %v10 = extractelement <16 x i8> %v, i64 10
  %v11 = extractelement <16 x i8> %v, i64 11
  %w0 = extractelement <16 x i8> %w, i64 0
  %w1 = extractelement <16 x i8> %w, i64 1
  %w2 = extractelement <16 x i8> %w, i64 2
  %w3 = extractelement <16 x i8> %w, i64 3
  %w8 = extractelement <16 x i8> %w, i64 8
  %w9 = extractelement <16 x i8> %w, i64 9
  %w10 = extractelement <16 x i8> %w, i64 10
  %w11 = extractelement <16 x i8> %w, i64 11
  %x0 = extractelement <16 x i8> %x, i64 0
  %x1 = extractelement <16 x i8> %x, i64 1
  %x2 = extractelement <16 x i8> %x, i64 2
  %x3 = extractelement <16 x i8> %x, i64 3
  %x8 = extractelement <16 x i8> %x, i64 8
  %a0 = add i8 %v0, %v1
  %a1 = add i8 %a0, %v2
  %a2 = add i8 %a1, %v3
  %a3 = add i8 %a2, %v8
  %a4 = add i8 %a3, %v9
  %a5 = add i8 %a4, %v10
  %a6 = add i8 %a5, %v11
  %b0 = add i8 %w0, %w1
  %b1 = add i8 %b0, %w2
  %b2 = add i8 %b1, %w3
  %b3 = add i8 %b2, %w8
  %b4 = add i8 %b3, %w9
  %b5 = add i8 %b4, %w10
  %b6 = add i8 %b5, %w11
  %c0 = add i8 %x0, %x1
  %c1 = add i8 %c0, %x2
  %c2 = add i8 %c1, %x3
  %c3 = add i8 %c2, %x8
  %d = add i8 %a6, %b6
  %e = add i8 %d, %c3
  ret i8 %e
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

!0 = !{!1}
!1 = distinct !{!1, !2}
!2 = distinct !{!2}
