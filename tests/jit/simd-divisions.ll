; Integers of up to 32 bits are divided as doubles, which vectors can; inactive lanes divide by 1. Quotients by constants
; are LLVM's, which multiplies.
; RUN: falx-opt --passes=lower-builtins,vectorize -S %s | FileCheck %s

declare i64 @__falx_global_id_x()

; CHECK-LABEL: define internal void @kernel.work_item.lanes(
; CHECK: %[[DIVISOR:.*]] = select <4 x i1> %active, <4 x i32> %y, <4 x i32> splat (i32 1)
; CHECK: %[[A:.*]] = uitofp <4 x i32> %x to <4 x double>
; CHECK: %[[B:.*]] = uitofp <4 x i32> %[[DIVISOR]] to <4 x double>
; CHECK: %[[EXACT:.*]] = fdiv <4 x double> %[[A]], %[[B]]
; CHECK: fptoui <4 x double> %[[EXACT]] to <4 x i32>
; CHECK: %[[DIVISOR:.*]] = select <4 x i1> %active
; CHECK: sitofp <4 x i32> %x to <4 x double>
; CHECK: fdiv
; CHECK: %[[QUOTIENT:.*]] = fptosi <4 x double>
; CHECK: %[[WHOLE:.*]] = mul <4 x i32> %[[QUOTIENT]], %[[DIVISOR]]
; CHECK: sub <4 x i32> %x, %[[WHOLE]]
; CHECK: udiv <4 x i32> %{{.*}}, splat (i32 7)
; CHECK: udiv <4 x i64>
; CHECK: fptosi <4 x double> %{{.*}} to <4 x i8>
define void @kernel(ptr %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="4" {
  %id = call i64 @__falx_global_id_x()
  %data = load ptr, ptr %f
  %at = getelementptr i32, ptr %data, i64 %id
  %x = load i32, ptr %at
  %y.at = getelementptr i32, ptr %at, i64 1000
  %y = load i32, ptr %y.at
  %quotient = udiv i32 %x, %y
  %rest = srem i32 %x, %y
  %sum = add i32 %quotient, %rest
  %seventh = udiv i32 %sum, 7
  %wide = zext i32 %x to i64
  %other = zext i32 %y to i64
  %wide.quotient = udiv i64 %wide, %other
  %1 = trunc i64 %wide.quotient to i32
  %narrow.x = trunc i32 %x to i8
  %narrow.y = trunc i32 %y to i8
  %narrow = sdiv i8 %narrow.x, %narrow.y
  %2 = sext i8 %narrow to i32
  %3 = add i32 %seventh, %1
  %4 = add i32 %3, %2
  store i32 %4, ptr %at
  ret void
}
