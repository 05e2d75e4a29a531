; Whether a sum overflows is asked of the sum.
; RUN: falx-opt --mtriple=nvptx64-nvidia-cuda --passes=falx-ptx-overflow-tests,verify %s | FileCheck %s

; The sum may overflow, though LLVM knew that where it was used before it does not.
; CHECK-LABEL: @overflows(
; CHECK-NEXT: %sum = add i64 %x, %y
; CHECK-NEXT: %over = icmp ult i64 %sum, %x
define i1 @overflows(ptr %p, i64 %x, i64 %y) {
  %sum = add nuw nsw i64 %x, %y
  %rest = xor i64 %y, -1
  %over = icmp ugt i64 %x, %rest
  store i64 %sum, ptr %p
  ret i1 %over
}

; Either way round, and the opposite.
; CHECK-LABEL: @fits(
; CHECK-NEXT: %sum = add i32 %y, %x
; CHECK-NEXT: %fits = icmp uge i32 %sum, %x
; CHECK-NEXT: %over = icmp ult i32 %sum, %x
define i1 @fits(ptr %p, i32 %x, i32 %y) {
  %sum = add i32 %y, %x
  %rest = xor i32 %y, -1
  %fits = icmp uge i32 %rest, %x
  %rest.2 = xor i32 %y, -1
  %over = icmp ult i32 %rest.2, %x
  %any = xor i1 %fits, %over
  store i32 %sum, ptr %p
  ret i1 %any
}

; Without the sum, with one that is not there yet, other comparisons, or where what is left is needed as well.
; CHECK-LABEL: @others(
; CHECK: %a = icmp ugt i64 %x, %rest.1
; CHECK: %b = icmp uge i64 %x, %rest.2
; CHECK: %c = icmp sgt i64 %x, %rest.3
; CHECK: %d = icmp ugt i64 %x, %rest.4
; CHECK: %e = icmp ugt i64 %z, %rest.5
define i1 @others(ptr %p, i64 %x, i64 %y, i64 %z) {
  %rest.1 = xor i64 %y, -1
  %a = icmp ugt i64 %x, %rest.1
  %sum = add i64 %x, %y
  %rest.2 = xor i64 %y, -1
  %b = icmp uge i64 %x, %rest.2
  %rest.3 = xor i64 %y, -1
  %c = icmp sgt i64 %x, %rest.3
  %rest.4 = xor i64 %y, -1
  %d = icmp ugt i64 %x, %rest.4
  store i64 %rest.4, ptr %p
  %rest.5 = xor i64 %y, -1
  %e = icmp ugt i64 %z, %rest.5
  %f = xor i1 %a, %b
  %g = xor i1 %c, %d
  %h = xor i1 %f, %g
  %i = xor i1 %h, %e
  store i64 %sum, ptr %p
  ret i1 %i
}
