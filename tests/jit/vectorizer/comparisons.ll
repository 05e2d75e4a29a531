; A vector's numbers lie between two multiples of its size, so lanes agree on which side of a multiple they are: the loop
; is left by all at once.
; RUN: falx-opt --passes=falx-lower-builtins,falx-vectorize -S %s | FileCheck %s

declare i64 @__falx_global_id_x()

; CHECK-LABEL: define internal void @kernel.work_item.lanes(
; CHECK: loop:
; CHECK: %more = icmp ult i64 %i, 4096
; CHECK: br i1 %more, label %{{.*}}, label
; CHECK: end:
; The other way round, and with the number before the multiple.
; CHECK: %right = icmp sgt i64 64, %[[ID:[^ ]+]]
; CHECK: %above = icmp sgt i64 %[[ID]], 63
; CHECK: %below = icmp ule i64 %[[ID]], 4294967295
; The lanes differ: 66 is no multiple of 4, 64 is reached by the first lane alone, and nothing is above -1 as a number
; without sign.
; CHECK: %between = icmp ult <4 x i64>
; CHECK: %first = icmp ugt <4 x i64>
; CHECK: %wraps = icmp ule <4 x i64>
define void @kernel(ptr %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="4" "falx-no-offset" {
entry:
  %id = call i64 @__falx_global_id_x()
  %data = load ptr, ptr %f
  br label %loop
loop:
  %i = phi i64 [ %id, %entry ], [ %next, %body ]
  %more = icmp ult i64 %i, 4096
  br i1 %more, label %body, label %end
body:
  %at = getelementptr i32, ptr %data, i64 %i
  store i32 1, ptr %at
  %next = add i64 %i, 128
  br label %loop
end:
  %right = icmp sgt i64 64, %id
  %above = icmp sgt i64 %id, 63
  %below = icmp ule i64 %id, 4294967295
  %between = icmp ult i64 %id, 66
  %first = icmp ugt i64 %id, 64
  %wraps = icmp ule i64 %id, -1
  %1 = xor i1 %right, %above
  %2 = xor i1 %1, %below
  %3 = xor i1 %2, %between
  %4 = xor i1 %3, %first
  %5 = xor i1 %4, %wraps
  %6 = zext i1 %5 to i32
  %out = getelementptr i32, ptr %data, i64 %id
  store i32 %6, ptr %out
  ret void
}
