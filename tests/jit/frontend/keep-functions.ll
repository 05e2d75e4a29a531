; Functions of a kernel of one work-item stay functions, unless they are small: one that is marked is not inlined.
; RUN: falx-opt --passes=falx-keep-functions %s | FileCheck %s

; CHECK: define i32 @large(i32 %x) #[[KEPT:[0-9]+]]
define i32 @large(i32 %x) {
  %1 = add i32 %x, 1
  %2 = mul i32 %1, %x
  %3 = xor i32 %2, %1
  %4 = add i32 %3, %2
  %5 = mul i32 %4, %3
  %6 = xor i32 %5, %4
  %7 = add i32 %6, %5
  %8 = mul i32 %7, %6
  ret i32 %8
}

; CHECK: define i32 @small(i32 %x) {
define i32 @small(i32 %x) {
  %1 = add i32 %x, 1
  ret i32 %1
}
; CHECK: attributes #[[KEPT]] = { noinline }
