; Of words that are made of two halves and shuffled, halves are shuffled; not of words that would have to be taken apart.
; RUN: falx-opt --passes=falx-shuffled-words -S %s | FileCheck %s
; RUN: falx-opt --passes=falx-shuffled-words -S %S/faults/shuffled-words.ll | llc -mtriple=x86_64 -mcpu=skylake-avx512 -o /dev/null

; CHECK-LABEL: define <4 x i32> @halves(
; CHECK-DAG: %[[LOW:.*]] = shufflevector <4 x i32> %x, <4 x i32> <i32 7, i32 8, i32 9, i32 10>, <4 x i32> <i32 1, i32 0, i32 3, i32 6>
; CHECK-DAG: %[[HIGH:.*]] = shufflevector <4 x i32> %y, <4 x i32> <i32 0, i32 1, i32 2, i32 3>, <4 x i32> <i32 1, i32 0, i32 3, i32 6>
; CHECK: %[[AGAIN:.*]] = shufflevector <4 x i32> %[[LOW]], <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 1>
; CHECK: %sum = add <4 x i32> %[[AGAIN]], %[[HIGH]]
; CHECK-NEXT: ret <4 x i32> %sum
define <4 x i32> @halves(<4 x i32> %x, <4 x i32> %y) {
  %low = zext <4 x i32> %x to <4 x i64>
  %wide = zext <4 x i32> %y to <4 x i64>
  %high = shl nuw <4 x i64> %wide, splat (i64 32)
  %word = or disjoint <4 x i64> %low, %high
  %other = shufflevector <4 x i64> %word, <4 x i64> <i64 7, i64 4294967304, i64 8589934601, i64 12884901898>, <4 x i32> <i32 1, i32 0, i32 3, i32 6>
  %again = shufflevector <4 x i64> %other, <4 x i64> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 1>
  %other.x = trunc <4 x i64> %again to <4 x i32>
  %shifted = lshr <4 x i64> %other, splat (i64 32)
  %other.y = trunc nuw <4 x i64> %shifted to <4 x i32>
  %sum = add <4 x i32> %other.x, %other.y
  ret <4 x i32> %sum
}

; CHECK-LABEL: define <4 x i32> @words(
; CHECK: shufflevector <4 x i64>
; CHECK: trunc <4 x i64>
define <4 x i32> @words(<4 x i64> %word) {
  %other = shufflevector <4 x i64> %word, <4 x i64> zeroinitializer, <4 x i32> <i32 1, i32 0, i32 3, i32 6>
  %half = trunc <4 x i64> %other to <4 x i32>
  ret <4 x i32> %half
}
