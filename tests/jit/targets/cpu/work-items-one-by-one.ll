; Work-items that run one after the other are a loop like those of other programs: LLVM makes vectors of it
; where its costs say so (@near), not where they say that it does not pay (@apart). Told to, it made 32 of each
; operation, which took half a second for a kernel of twenty lines.
; RUN: split-file %s %t
; RUN: falx-opt -mtriple=x86_64-linux-gnu -mcpu=haswell '--passes=falx-cpu<lanes=1>' -S %t/near.ll | FileCheck %t/near.ll
; RUN: falx-opt -mtriple=x86_64-linux-gnu -mcpu=haswell '--passes=falx-cpu<lanes=1>' -S %t/apart.ll | FileCheck %t/apart.ll

;--- near.ll
declare i64 @__falx_global_id_x()

; CHECK: store <8 x i32>
define void @near(ptr %f) "falx-kind"="1" "falx-dimensions"="1" {
  %id = call i64 @__falx_global_id_x()
  %data = load ptr, ptr %f
  %at = getelementptr i32, ptr %data, i64 %id
  %a = load i32, ptr %at
  %b = mul i32 %a, %a
  store i32 %b, ptr %at
  ret void
}

;--- apart.ll
declare i64 @__falx_global_id_x()

; CHECK-LABEL: define internal void @apart(
; CHECK-NOT: x i8>
; CHECK: ret void
define void @apart(ptr %f) "falx-kind"="1" "falx-dimensions"="1" {
  %id = call i64 @__falx_global_id_x()
  %data = load ptr, ptr %f
  %in.place = getelementptr i8, ptr %f, i64 8
  %in = load ptr, ptr %in.place
  %from = getelementptr i8, ptr %in, i64 %id
  %a = load i8, ptr %from
  %b.place = getelementptr i8, ptr %from, i64 1
  %b = load i8, ptr %b.place
  %first = mul i64 %id, 15
  %out = getelementptr i8, ptr %data, i64 %first
  %divisor = or i8 %b, 1
  %quotient = udiv i8 %a, %divisor
  %rest = urem i8 %a, %divisor
  %second = getelementptr i8, ptr %out, i64 1
  store i8 %quotient, ptr %out
  store i8 %rest, ptr %second
  ret void
}
