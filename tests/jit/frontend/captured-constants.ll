; Loads from known bytes of the function object become constants; others stay.
; RUN: falx-opt "--passes=falx-captured-constants<bytes=8:2000000000000000;bytes=20:0000803f;align=32:64;align=40:32>" %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define void @kernel(ptr dereferenceable(64) %f, i64 %i) "falx-kind"="2" {
; CHECK-LABEL: @kernel
; CHECK:         %out = load ptr, ptr %f
  %out = load ptr, ptr %f
  %a8 = getelementptr i8, ptr %f, i64 8
  %stride = load i64, ptr %a8
; CHECK:         %row = mul i64 %i, 32
  %row = mul i64 %i, %stride
; Part of the known bytes, at an offset from an offset.
  %a10 = getelementptr i8, ptr %a8, i64 2
  %zero = load i16, ptr %a10
; CHECK:         store i16 0, ptr %out
  store i16 %zero, ptr %out
  %a20 = getelementptr i8, ptr %f, i64 20
  %one = load float, ptr %a20
; CHECK:         store float 1.000000e+00, ptr %out
  store float %one, ptr %out
; Half of it is unknown.
; CHECK:         %wide = load i64, ptr %a20
  %wide = load i64, ptr %a20
  store i64 %wide, ptr %out
; The place is unknown.
; CHECK:         %any = load i64, ptr %ai
  %ai = getelementptr i64, ptr %f, i64 %i
  %any = load i64, ptr %ai
  store i64 %any, ptr %out
; A pointer that is known to be aligned; an integer at such a place is none.
; CHECK:         %aligned = load ptr, ptr %a32, align 8, !align [[ALIGNED:![0-9]+]]
  %a32 = getelementptr i8, ptr %f, i64 32
  %aligned = load ptr, ptr %a32
  store i8 0, ptr %aligned
; CHECK:         %integer = load i64, ptr %a40, align 8{{$}}
  %a40 = getelementptr i8, ptr %f, i64 40
  %integer = load i64, ptr %a40
  store i64 %integer, ptr %out
; A volatile load is one.
; CHECK:         %volatile = load volatile i64, ptr %a8
  %volatile = load volatile i64, ptr %a8
  ret void
}
; CHECK: [[ALIGNED]] = !{i64 64}
