; Sums with what is added or not become sums that take place or not, and conditions of two parts stay one.
; RUN: falx-opt -mtriple=nvptx64-nvidia-cuda -mcpu=sm_90 --passes=falx-ptx-conditional-updates,verify -S %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: @counts(
; CHECK-NEXT: [[MORE:%.*]] = add nuw i32 %count, 1
; CHECK-NEXT: [[NEXT:%.*]] = select i1 %c, i32 [[MORE]], i32 %count
; CHECK-NEXT: ret i32 [[NEXT]]
define i32 @counts(i1 %c, i32 %count) {
  %step = zext i1 %c to i32
  %next = add nuw i32 %count, %step
  ret i32 %next
}

; CHECK-LABEL: @counts_down(
; CHECK-NEXT: [[LESS:%.*]] = add i32 -1, %count
; CHECK-NEXT: select i1 %c, i32 [[LESS]], i32 %count
define i32 @counts_down(i1 %c, i32 %count) {
  %step = sext i1 %c to i32
  %next = add i32 %step, %count
  ret i32 %next
}

; CHECK-LABEL: @toggles(
; CHECK-NEXT: [[OTHER:%.*]] = xor i32 %flag, 1
; CHECK-NEXT: select i1 %c, i32 [[OTHER]], i32 %flag
define i32 @toggles(i1 %c, i32 %flag) {
  %step = zext i1 %c to i32
  %next = xor i32 %flag, %step
  ret i32 %next
}

; CHECK-LABEL: @sums(
; CHECK-NEXT: [[SUM:%.*]] = fadd float %sum, %x
; CHECK-NEXT: select i1 %c, float %sum, float [[SUM]]
define float @sums(i1 %c, float %sum, float %x) {
  %part = select i1 %c, float -0.0, float %x
  %next = fadd float %sum, %part
  ret float %next
}

; 0 + -0 is 0: not the same.
; CHECK-LABEL: @other_zero(
; CHECK-NEXT: select i1 %c, float %x, float 0.0
; CHECK-NEXT: fadd
define float @other_zero(i1 %c, float %sum, float %x) {
  %part = select i1 %c, float %x, float 0.0
  %next = fadd float %sum, %part
  ret float %next
}

; Where the signs of zeros do not matter, it is.
; CHECK-LABEL: @any_zero(
; CHECK-NEXT: [[SUM:%.*]] = fadd nsz float %sum, %x
; CHECK-NEXT: select i1 %c, float [[SUM]], float %sum
define float @any_zero(i1 %c, float %sum, float %x) {
  %part = select i1 %c, float %x, float 0.0
  %next = fadd nsz float %sum, %part
  ret float %next
}

; CHECK-LABEL: @subtracts(
; CHECK-NEXT: [[LESS:%.*]] = sub i32 %sum, %x
; CHECK-NEXT: select i1 %c, i32 [[LESS]], i32 %sum
define i32 @subtracts(i1 %c, i32 %sum, i32 %x) {
  %part = select i1 %c, i32 %x, i32 0
  %next = sub i32 %sum, %part
  ret i32 %next
}

; What is subtracted from is no sum that stays, and old numbers that are still needed stay where they are.
; CHECK-LABEL: @stays(
; CHECK:      sub i32 %part, %sum
; CHECK:      add i32 %other, %step
define i32 @stays(i1 %c, i32 %sum, i32 %other, i32 %x) {
  %part = select i1 %c, i32 %x, i32 0
  %less = sub i32 %part, %sum
  %step = zext i1 %c to i32
  %next = add i32 %other, %step
  %both = mul i32 %next, %other
  %result = mul i32 %both, %less
  ret i32 %result
}

; A product and the sum with it are one instruction, whatever is added.
; CHECK-LABEL: @products(
; CHECK-NEXT: [[PRODUCT:%.*]] = mul i32 %a, %b
; CHECK-NEXT: [[PART:%.*]] = select i1 %c, i32 %x, i32 0
; CHECK-NEXT: add i32 [[PRODUCT]], [[PART]]
define i32 @products(i1 %c, i32 %a, i32 %b, i32 %x) {
  %product = mul i32 %a, %b
  %part = select i1 %c, i32 %x, i32 0
  %next = add i32 %product, %part
  ret i32 %next
}

; What is selected once stays so.
; CHECK-LABEL: @once(
; CHECK:      loop:
; CHECK:        %next = add i32 %sum, %part
define i32 @once(i1 %c, i32 %n, i32 %x) {
entry:
  %part = select i1 %c, i32 %x, i32 0
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %sum, %part
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %end
end:
  ret i32 %next
}

; The divisor may be 0 where it is not selected.
; CHECK-LABEL: @divides(
; CHECK-NEXT: [[DIVISOR:%.*]] = select i1 %c, i32 %x, i32 1
; CHECK-NEXT: sdiv i32 %sum, [[DIVISOR]]
define i32 @divides(i1 %c, i32 %sum, i32 %x) {
  %part = select i1 %c, i32 %x, i32 1
  %next = sdiv i32 %sum, %part
  ret i32 %next
}

; Sums of 64 bits get no predicate: where one selection has the halves of what is added, or not, it stays selected.
; CHECK-LABEL: @counts_far(
; CHECK-NEXT: %step = zext i1 %c to i64
; CHECK-NEXT: add i64 %count, %step
define i64 @counts_far(i1 %c, i64 %count) {
  %step = zext i1 %c to i64
  %next = add i64 %count, %step
  ret i64 %next
}

; As LLVM has made selections of sums of such, they are taken apart; the sum does not overflow where it was not
; selected, so nothing is said of overflow.
; CHECK-LABEL: @modular(
; CHECK-NEXT: [[A:%.*]] = select i1 %c, i64 4294967295, i64 0
; CHECK-NEXT: %over = add i64 %x, [[A]]
; CHECK-NEXT: [[B:%.*]] = select i1 %c, i64 0, i64 4294967295
; CHECK-NEXT: %under = sub i64 %over, [[B]]
; CHECK-NEXT: [[C:%.*]] = select i1 %c, i64 -1, i64 0
; CHECK-NEXT: %last = add i64 %under, [[C]]
; CHECK-NEXT: ret i64 %last
define i64 @modular(i1 %c, i64 %x) {
  %more = add nuw i64 %x, 4294967295
  %over = select i1 %c, i64 %more, i64 %x
  %less = add i64 %over, -4294967295
  %under = select i1 %c, i64 %over, i64 %less
  %before = add nsw i64 %under, -1
  %last = select i1 %c, i64 %before, i64 %under
  ret i64 %last
}

; Not if its halves take two selections, the sum is used elsewhere, or something else is selected; nor 32 bits.
; CHECK-LABEL: @others(
; CHECK-NEXT: %more = add i64 %x, 12884901893
; CHECK-NEXT: %a = select i1 %c, i64 %more, i64 %x
; CHECK-NEXT: %shared = add i64 %a, 1
; CHECK-NEXT: %b = select i1 %c, i64 %shared, i64 %a
; CHECK-NEXT: %other = add i64 %x, 1
; CHECK-NEXT: %d = select i1 %c, i64 %other, i64 %y
; CHECK-NEXT: %short = add i32 %z, 65536
; CHECK-NEXT: %e = select i1 %c, i32 %short, i32 %z
define i64 @others(i1 %c, i64 %x, i64 %y, i32 %z) {
  %more = add i64 %x, 12884901893
  %a = select i1 %c, i64 %more, i64 %x
  %shared = add i64 %a, 1
  %b = select i1 %c, i64 %shared, i64 %a
  %other = add i64 %x, 1
  %d = select i1 %c, i64 %other, i64 %y
  %short = add i32 %z, 65536
  %e = select i1 %c, i32 %short, i32 %z
  %wide = zext i32 %e to i64
  %s = xor i64 %shared, %b
  %s1 = xor i64 %s, %d
  %s2 = xor i64 %s1, %wide
  ret i64 %s2
}

; CHECK-LABEL: @two_parts(
; CHECK-NEXT: [[SECOND:%.*]] = freeze i1 %d
; CHECK-NEXT: [[BOTH:%.*]] = call i1 asm "and.pred $0, $1, $2;", "=b,b,b"(i1 %c, i1 [[SECOND]])
; CHECK-NEXT: [[X:%.*]] = select i1 [[BOTH]], i32 %x, i32 %y
; CHECK:      [[EITHER:%.*]] = call i1 asm "or.pred $0, $1, $2;", "=b,b,b"(i1 %c, i1
; CHECK-NEXT: select i1 [[EITHER]], i32 [[X]], i32 3
define i32 @two_parts(i1 %c, i1 %d, i32 %x, i32 %y) {
  %both = and i1 %c, %d
  %first = select i1 %both, i32 %x, i32 %y
  %either = select i1 %c, i1 true, i1 %d
  %second = select i1 %either, i32 %first, i32 3
  ret i32 %second
}

; Code generation would freeze the second test, and with it what is loaded, before it is extended.
define i1 @loaded_bytes(i1 %legal, ptr %p, ptr %q, i32 %x) {
; CHECK-LABEL: @loaded_bytes(
; CHECK: [[BOTH:%.*]] = call i1 asm "and.pred $0, $1, $2;", "=b,b,b"(i1 %legal, i1 %c)
; CHECK-NEXT: [[ANY:%.*]] = call i1 asm "or.pred $0, $1, $2;", "=b,b,b"(i1 [[BOTH]], i1 %d)
; CHECK-NEXT: ret i1 [[ANY]]
  %a = load i8, ptr %p
  %b = load i16, ptr %q
  %wide_a = sext i8 %a to i32
  %wide_b = zext i16 %b to i32
  %c = icmp ne i32 %wide_a, %x
  %d = icmp ult i32 %x, %wide_b
  %both = select i1 %legal, i1 %c, i1 false
  %any = select i1 %both, i1 true, i1 %d
  ret i1 %any
}

; A byte that is needed as it is, words, and tests that are selected of.
define i1 @other_tests(i1 %legal, ptr %p, ptr %q, i32 %x, i1 %e) {
; CHECK-LABEL: @other_tests(
; CHECK-NOT: asm
; CHECK: ret i1
  %a = load i8, ptr %p
  %b = load i32, ptr %q
  store i8 %a, ptr %q
  %wide_a = sext i8 %a to i32
  %c = icmp ne i32 %wide_a, %x
  %d = icmp ne i32 %b, %x
  %f = select i1 %legal, i1 %c, i1 false
  %g = select i1 %f, i1 %d, i1 false
  %h = select i1 %legal, i1 %g, i1 %e
  ret i1 %h
}

; CHECK: attributes {{.*}} = { nounwind willreturn memory(none) }
