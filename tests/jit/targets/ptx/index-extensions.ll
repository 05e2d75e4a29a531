; An index that is not negative has one extension.
; RUN: falx-opt --passes=falx-ptx-index-extensions %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

define float @neighbours(ptr %x, i32 %i, i1 %more) {
; CHECK-LABEL: @neighbours
; CHECK: %wide = sext i32 %i to i64
; CHECK-NOT: ext
; CHECK: %next = getelementptr float, ptr %x, i64 %wide
; CHECK: %far = getelementptr float, ptr %x, i64 %wide
  %wide = zext nneg i32 %i to i64
  %here = getelementptr float, ptr %x, i64 %wide
  %a = load float, ptr %here
  %signed = sext i32 %i to i64
  %next = getelementptr float, ptr %x, i64 %signed
  %b = load float, ptr %next
  br i1 %more, label %then, label %end
then:
  %again = sext i32 %i to i64
  %far = getelementptr float, ptr %x, i64 %again
  %c = load float, ptr %far
  br label %end
end:
  %sum = phi float [ %a, %0 ], [ %c, %then ]
  %result = fadd float %sum, %b
  ret float %result
}

; Neither comes before the other, or one may be negative.
define i64 @apart(i32 %i, i1 %which) {
; CHECK-LABEL: @apart
; CHECK: zext nneg
; CHECK: sext
; CHECK: zext i32
  br i1 %which, label %then, label %else
then:
  %a = zext nneg i32 %i to i64
  ret i64 %a
else:
  %b = sext i32 %i to i64
  %c = zext i32 %i to i64
  %sum = add i64 %b, %c
  ret i64 %sum
}

; The index of a neighbour, in the upper half of 64 bits.
define ptr @before(ptr %x, i32 %i, i64 %wide) {
; CHECK-LABEL: @before
; CHECK: %[[BEFORE:.*]] = add nsw i32 %i, -1
; CHECK-NEXT: %[[WIDE:.*]] = sext i32 %[[BEFORE]] to i64
; CHECK-NEXT: %[[BYTE:.*]] = shl i64 %[[WIDE]], 4
; CHECK: getelementptr i8, ptr %x, i64 %[[BYTE]]
; CHECK: %[[HALF:.*]] = trunc i64 %wide to i32
; CHECK: add i32 %[[HALF]], 3
; CHECK: ashr i64 %odd, 28
  %index = zext nneg i32 %i to i64
  %high = shl i64 %index, 32
  %sum = add i64 %high, -4294967296
  %byte = ashr i64 %sum, 28
  %p = getelementptr i8, ptr %x, i64 %byte
  %other = shl i64 %wide, 32
  %later = add i64 %other, 12884901888
  %element = ashr i64 %later, 32
  %q = getelementptr i8, ptr %p, i64 %element
  %odd = add i64 %other, 12884901889
  %rest = ashr i64 %odd, 28
  %r = getelementptr i8, ptr %q, i64 %rest
  ret ptr %r
}

; Neighbours below, of indices that are not 0 there: LLVM takes the constant out of the sum.
; CHECK-LABEL: @below
; CHECK: inner:
; CHECK-NEXT: [[A:%[^ ]+]] = zext i32 %i to i64
; CHECK-NEXT: [[M:%[^ ]+]] = add nsw i64 [[A]], -1
; CHECK-NEXT: getelementptr float, ptr %x, i64 [[M]]
; CHECK: [[N:%[^ ]+]] = add nsw i64 %wide, -2
; CHECK-NEXT: getelementptr float, ptr %x, i64 [[N]]
define float @below(ptr %x, i32 %i, i32 %k) {
  %some = icmp ne i32 %i, 0
  %more = icmp ugt i32 %k, 1
  %both = and i1 %some, %more
  br i1 %both, label %inner, label %end
inner:
  %n = add i32 %i, -1
  %m = zext i32 %n to i64
  %p = getelementptr float, ptr %x, i64 %m
  %a = load float, ptr %p
  %wide = zext i32 %k to i64
  %sum = add i64 %wide, 4294967294
  %masked = and i64 %sum, 4294967295
  %q = getelementptr float, ptr %x, i64 %masked
  %b = load float, ptr %q
  %r = fadd float %a, %b
  ret float %r
end:
  ret float 0.0
}

; What may be 0, or too small, or has more than 32 bits, wraps around.
; CHECK-LABEL: @may_wrap
; CHECK: %n = add i32 %i, -1
; CHECK-NEXT: %m = zext i32 %n to i64
; CHECK: inner:
; CHECK: %n2 = add i32 %i, -2
; CHECK-NEXT: %m2 = zext i32 %n2 to i64
; CHECK: %masked = and i64 %sum, 4294967295
; CHECK: %o = add i48 %l, -1
; CHECK-NEXT: %w = zext i48 %o to i64
define float @may_wrap(ptr %x, i32 %i, i64 %k, i48 %l) {
  %n = add i32 %i, -1
  %m = zext i32 %n to i64
  %p = getelementptr float, ptr %x, i64 %m
  %a = load float, ptr %p
  %some = icmp ne i32 %i, 0
  br i1 %some, label %inner, label %end
inner:
  %n2 = add i32 %i, -2
  %m2 = zext i32 %n2 to i64
  %q = getelementptr float, ptr %x, i64 %m2
  %b = load float, ptr %q
  %large = icmp ne i64 %k, 0
  %long = icmp ne i48 %l, 0
  %both = and i1 %large, %long
  br i1 %both, label %innermost, label %end
innermost:
  %sum = add i64 %k, 4294967295
  %masked = and i64 %sum, 4294967295
  %s = getelementptr float, ptr %x, i64 %masked
  %c = load float, ptr %s
  %o = add i48 %l, -1
  %w = zext i48 %o to i64
  %t = getelementptr float, ptr %x, i64 %w
  %d = load float, ptr %t
  %r = fadd float %c, %d
  ret float %r
end:
  ret float %a
}

; What is not negative in both places is extended by zeros.
define i64 @not_negative(i32 %i) {
; CHECK-LABEL: @not_negative
; CHECK-NEXT: %a = zext nneg i32 %i to i64
; CHECK-NEXT: %sum = mul i64 %a, %a
  %a = zext nneg i32 %i to i64
  %b = zext nneg i32 %i to i64
  %sum = mul i64 %a, %b
  ret i64 %sum
}

; Moved out of the branch in which %i is not negative; the other one extends -1 to -1.
define ptr @may_be_negative(ptr %x, i32 %i) {
; CHECK-LABEL: @may_be_negative
; CHECK-NEXT: %wide = sext i32 %i to i64
; CHECK: else:
; CHECK-NEXT: getelementptr float, ptr %x, i64 %wide
  %wide = zext nneg i32 %i to i64
  %is_negative = icmp slt i32 %i, 0
  br i1 %is_negative, label %else, label %then
then:
  %p = getelementptr float, ptr %x, i64 %wide
  ret ptr %p
else:
  %signed = sext i32 %i to i64
  %q = getelementptr float, ptr %x, i64 %signed
  ret ptr %q
}

; Beside what is extended by its sign.
define ptr @sums(ptr %x, i32 %i, i32 %j) {
; CHECK-LABEL: @sums
; CHECK-NEXT: %wide = sext i32 %i to i64
; CHECK-NEXT: [[N:%.*]] = add nsw i64 %wide, -4
; CHECK-NEXT: %p = getelementptr i8, ptr %x, i64 [[N]]
; CHECK-NEXT: %may_wrap = add i32 %i, -8
; CHECK-NEXT: %b = zext nneg i32 %may_wrap to i64
; CHECK-NEXT: %q = getelementptr i8, ptr %p, i64 %b
; CHECK-NEXT: %m = add nsw i32 %j, -4
; CHECK-NEXT: %c = zext nneg i32 %m to i64
; CHECK-NEXT: %r = getelementptr i8, ptr %q, i64 %c
; CHECK-NEXT: %k = add nsw i32 %i, -16
; CHECK-NEXT: %d = zext i32 %k to i64
  %wide = sext i32 %i to i64
  %n = add nsw i32 %i, -4
  %a = zext nneg i32 %n to i64
  %p = getelementptr i8, ptr %x, i64 %a
  %may_wrap = add i32 %i, -8
  %b = zext nneg i32 %may_wrap to i64
  %q = getelementptr i8, ptr %p, i64 %b
  %m = add nsw i32 %j, -4
  %c = zext nneg i32 %m to i64
  %r = getelementptr i8, ptr %q, i64 %c
  %k = add nsw i32 %i, -16
  %d = zext i32 %k to i64
  %s = getelementptr i8, ptr %r, i64 %d
  %t = getelementptr i8, ptr %s, i64 %wide
  ret ptr %t
}
