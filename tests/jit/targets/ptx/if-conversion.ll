; Branches around a few instructions that compare become selections, one for each value; the others are left to
; the assembler.
; RUN: falx-opt -mtriple=nvptx64-nvidia-cuda -mcpu=sm_90 --passes=falx-ptx-if-conversion,verify -S %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: @one_side(
; CHECK-NEXT: entry:
; CHECK-NEXT:   %product = fmul contract float %x, %slope
; CHECK-NEXT:   %bound = fadd contract float %product, %x
; CHECK-NEXT:   %is_left = fcmp olt float %p, %bound
; CHECK-NEXT:   [[BOTH:%.*]] = select i1 %is_between, i1 %is_left, i1 false
; CHECK-NEXT:   [[SELECTED:%.*]] = select i1 [[BOTH]], i32 1, i32 %count
; CHECK-NEXT:   br label %next
; CHECK:      next:
; CHECK-NEXT:   phi i32 [ [[SELECTED]], %entry ]
define i32 @one_side(i1 %is_between, float %x, float %slope, float %p, i32 %count) {
entry:
  br i1 %is_between, label %crosses, label %next

crosses:
  %product = fmul contract float %x, %slope
  %bound = fadd contract float %product, %x
  %is_left = fcmp olt float %p, %bound
  %new = select i1 %is_left, i32 1, i32 %count
  br label %next

next:
  %result = phi i32 [ %count, %entry ], [ %new, %crosses ]
  ret i32 %result
}

; The side is where the condition is false, its flags stay, and others reach the end, too.
; CHECK-LABEL: @other_side(
; CHECK:      before:
; CHECK-NEXT:   %is_less = fcmp nnan olt float %x, %y
; CHECK-NEXT:   [[EITHER:%.*]] = select i1 %skips, i1 true, i1 %is_less
; CHECK-NEXT:   [[SELECTED:%.*]] = select nnan i1 [[EITHER]], float %x, float %y
; CHECK-NEXT:   br label %end
; CHECK:      end:
; CHECK-NEXT:   phi nnan float [ [[SELECTED]], %before ], [ %y, %far ]
define float @other_side(i1 %leaves, i1 %skips, float %x, float %y) {
entry:
  br i1 %leaves, label %far, label %before

far:
  call void @something()
  br label %end

before:
  br i1 %skips, label %end, label %side

side:
  %is_less = fcmp nnan olt float %x, %y
  %smaller = select nnan i1 %is_less, float %x, float %y
  br label %end

end:
  %result = phi nnan float [ %x, %before ], [ %y, %far ], [ %smaller, %side ]
  ret float %result
}

; What is selected in the side is on the other place.
; CHECK-LABEL: @second_place(
; CHECK:        [[NOT_LESS:%.*]] = xor i1 %is_less, true
; CHECK-NEXT:   [[BOTH:%.*]] = select i1 %condition, i1 [[NOT_LESS]], i1 false
; CHECK-NEXT:   select i1 [[BOTH]], i32 %new, i32 %old
define i32 @second_place(i1 %condition, i32 %old, i32 %new, i32 %limit) {
entry:
  br i1 %condition, label %side, label %end

side:
  %is_less = icmp slt i32 %old, %limit
  %value = select i1 %is_less, i32 %old, i32 %new
  br label %end

end:
  %result = phi i32 [ %old, %entry ], [ %value, %side ]
  ret i32 %result
}

; CHECK-LABEL: @second_place_when_false(
; CHECK:        [[NOT_LESS:%.*]] = xor i1 %is_less, true
; CHECK-NEXT:   [[EITHER:%.*]] = select i1 %condition, i1 true, i1 [[NOT_LESS]]
; CHECK-NEXT:   select i1 [[EITHER]], i32 %old, i32 %new
define i32 @second_place_when_false(i1 %condition, i32 %old, i32 %new, i32 %limit) {
entry:
  br i1 %condition, label %end, label %side

side:
  %is_less = icmp slt i32 %old, %limit
  %value = select i1 %is_less, i32 %new, i32 %old
  br label %end

end:
  %result = phi i32 [ %old, %entry ], [ %value, %side ]
  ret i32 %result
}

; CHECK-LABEL: @two_sides(
; CHECK-NEXT: entry:
; CHECK-NEXT:   %above = icmp sgt i32 %x, %y
; CHECK-NEXT:   %below = icmp slt i32 %x, %z
; CHECK-NEXT:   [[SELECTED:%.*]] = select i1 %condition, i1 %above, i1 %below
; CHECK-NEXT:   br label %end
; CHECK:      end:
; CHECK-NEXT:   phi i1 [ [[SELECTED]], %entry ]
define i1 @two_sides(i1 %condition, i32 %x, i32 %y, i32 %z) {
entry:
  br i1 %condition, label %left, label %right

left:
  %above = icmp sgt i32 %x, %y
  br label %end

right:
  %below = icmp slt i32 %x, %z
  br label %end

end:
  %result = phi i1 [ %above, %left ], [ %below, %right ]
  ret i1 %result
}

; The inner one first, then what has become of the outer one.
; CHECK-LABEL: @nested(
; CHECK-NOT:    br i1
; CHECK:        ret i32
define i32 @nested(i1 %condition, float %x, float %y, i32 %count) {
entry:
  br i1 %condition, label %outer, label %end

outer:
  %is_first = fcmp olt float %x, %y
  br i1 %is_first, label %inner, label %end

inner:
  %is_second = fcmp ogt float %x, 1.0
  %new = zext i1 %is_second to i32
  br label %end

end:
  %result = phi i32 [ %count, %entry ], [ 0, %outer ], [ %new, %inner ]
  ret i32 %result
}

; What would be undefined if it were not true, and was known behind the branch alone, is forgotten.
; CHECK-LABEL: @facts(
; CHECK:        %magnitude = call range(i32 0, 8) i32 @llvm.abs.i32(i32 %x, i1 false)
; CHECK-NOT:    br i1
define i32 @facts(i1 %condition, i32 %x, i32 %y) {
entry:
  br i1 %condition, label %side, label %end

side:
  %magnitude = call noundef range(i32 0, 8) i32 @llvm.abs.i32(i32 %x, i1 false)
  %is_less = icmp slt i32 %magnitude, %y
  %number = zext i1 %is_less to i32
  br label %end

end:
  %result = phi i32 [ %x, %entry ], [ %number, %side ]
  ret i32 %result
}

; Loops: the end is the block before the branch.
; CHECK-LABEL: @loop(
; CHECK:        br i1 %condition, label %side, label %before
define void @loop(ptr %p, i1 %condition, i32 %y) {
entry:
  br label %before

before:
  %x = phi i32 [ 0, %entry ], [ %x, %before ], [ %new, %side ]
  store volatile i32 %x, ptr %p
  br i1 %condition, label %side, label %before

side:
  %is_less = icmp slt i32 %x, %y
  %new = zext i1 %is_less to i32
  br label %before
}

; The assembler predicates these, without a selection.
; CHECK-LABEL: @arithmetic(
; CHECK:        br i1 %condition, label %side, label %end
define float @arithmetic(i1 %condition, float %x, float %y) {
entry:
  br i1 %condition, label %side, label %end

side:
  %product = fmul float %x, %y
  %sum = fadd float %product, 1.0
  br label %end

end:
  %result = phi float [ %x, %entry ], [ %sum, %side ]
  ret float %result
}

; CHECK-LABEL: @load(
; CHECK:        br i1 %condition, label %side, label %end
define i32 @load(i1 %condition, ptr dereferenceable(4) %p, i32 %x) {
entry:
  br i1 %condition, label %side, label %end

side:
  %y = load i32, ptr %p
  %is_less = icmp slt i32 %y, %x
  %new = zext i1 %is_less to i32
  br label %end

end:
  %result = phi i32 [ %x, %entry ], [ %new, %side ]
  ret i32 %result
}

; CHECK-LABEL: @double(
; CHECK:        br i1 %condition, label %side, label %end
define i32 @double(i1 %condition, double %y, i32 %x) {
entry:
  br i1 %condition, label %side, label %end

side:
  %is_less = fcmp olt double %y, 1.0
  %new = zext i1 %is_less to i32
  br label %end

end:
  %result = phi i32 [ %x, %entry ], [ %new, %side ]
  ret i32 %result
}

; CHECK-LABEL: @division(
; CHECK:        br i1 %condition, label %side, label %end
define i32 @division(i1 %condition, i32 %y, i32 %x) {
entry:
  br i1 %condition, label %side, label %end

side:
  %quotient = udiv i32 %x, %y
  %is_less = icmp slt i32 %quotient, 3
  %new = zext i1 %is_less to i32
  br label %end

end:
  %result = phi i32 [ %x, %entry ], [ %new, %side ]
  ret i32 %result
}

; Four additions of 64 bits, two instructions each.
; CHECK-LABEL: @long(
; CHECK:        br i1 %condition, label %side, label %end
define i64 @long(i1 %condition, i64 %x, i64 %y) {
entry:
  br i1 %condition, label %side, label %end

side:
  %a = add i64 %x, %y
  %b = xor i64 %a, 5
  %is_less = icmp slt i64 %b, 3
  %c = select i1 %is_less, i64 %a, i64 %b
  br label %end

end:
  %result = phi i64 [ %x, %entry ], [ %c, %side ]
  ret i64 %result
}

; The program says that it is rare.
; CHECK-LABEL: @rare(
; CHECK:        br i1 %condition, label %side, label %end
define i32 @rare(i1 %condition, i32 %y, i32 %x) {
entry:
  br i1 %condition, label %side, label %end, !prof !0

side:
  %is_less = icmp slt i32 %x, %y
  %new = zext i1 %is_less to i32
  br label %end

end:
  %result = phi i32 [ %x, %entry ], [ %new, %side ]
  ret i32 %result
}

declare void @something()
!0 = !{!"branch_weights", i32 1, i32 2000}

; Each value is selected by the cases in which it differs.
; CHECK-LABEL: @cases(
; CHECK-NOT:     switch
; CHECK:         [[A:%.*]] = icmp eq i8 %c, 48
; CHECK-NEXT:    [[B:%.*]] = icmp eq i8 %c, 49
; CHECK-NEXT:    [[S:%.*]] = select i1 [[A]], i32 %more_x, i32 %x
; CHECK-NEXT:    [[T:%.*]] = select i1 [[B]], i32 %more_y, i32 %y
; CHECK-NEXT:    br label %next
define i32 @cases(i8 %c, i32 %x, i32 %y, i32 %z) {
entry:
  switch i8 %c, label %next [
    i8 48, label %first
    i8 49, label %second
  ]

first:
  %more_x = add i32 %x, %z
  br label %next

second:
  %more_y = add i32 %y, %z
  br label %next

next:
  %new_x = phi i32 [ %x, %entry ], [ %more_x, %first ], [ %x, %second ]
  %new_y = phi i32 [ %y, %entry ], [ %y, %first ], [ %more_y, %second ]
  %both = xor i32 %new_x, %new_y
  ret i32 %both
}

; One has a side of its own where none of the cases is, others share the way to the end.
; CHECK-LABEL: @cases_at_once(
; CHECK-NOT:     switch
; CHECK:         [[S1:%.*]] = select i1 {{%.*}}, i32 1, i32 %other
; CHECK-NEXT:    [[S2:%.*]] = select i1 {{%.*}}, i32 1, i32 [[S1]]
define i32 @cases_at_once(i32 %c, i32 %x) {
entry:
  switch i32 %c, label %rest [
    i32 3, label %next
    i32 5, label %next
  ]

rest:
  %other = mul i32 %x, %x
  br label %next

next:
  %r = phi i32 [ 1, %entry ], [ 1, %entry ], [ %other, %rest ]
  ret i32 %r
}

; Five cases are too many, and loads are not made without need.
; CHECK-LABEL: @many_cases(
; CHECK:         switch
define i32 @many_cases(i32 %c, i32 %x) {
entry:
  switch i32 %c, label %rest [
    i32 3, label %next
    i32 5, label %next
    i32 7, label %next
    i32 11, label %next
    i32 13, label %next
  ]
rest:
  br label %next
next:
  %r = phi i32 [ 1, %entry ], [ 1, %entry ], [ 1, %entry ], [ 1, %entry ], [ 1, %entry ], [ %x, %rest ]
  ret i32 %r
}

; CHECK-LABEL: @loading_cases(
; CHECK:         switch
define i32 @loading_cases(i32 %c, ptr %x) {
entry:
  switch i32 %c, label %next [
    i32 3, label %first
    i32 5, label %next
  ]
first:
  %v = load i32, ptr %x
  br label %next
next:
  %r = phi i32 [ 1, %entry ], [ 1, %entry ], [ %v, %first ]
  ret i32 %r
}

; Tests that lead to the same place are one.
; CHECK-LABEL: @two_tests(
; CHECK-NEXT:  entry:
; CHECK-NEXT:    %b = icmp ult i32 %x, %y
; CHECK-NEXT:    [[BOTH:%.*]] = select i1 %a, i1 %b, i1 false
; CHECK-NEXT:    br i1 [[BOTH]], label %use, label %next
define i32 @two_tests(i1 %a, i32 %x, i32 %y, ptr %p) {
entry:
  br i1 %a, label %second, label %next
second:
  %b = icmp ult i32 %x, %y
  br i1 %b, label %use, label %next
use:
  %v = load i32, ptr %p
  br label %next
next:
  %r = phi i32 [ 0, %entry ], [ 0, %second ], [ %v, %use ]
  ret i32 %r
}

; Three, each the other way round, with what they compute; what is captured may be read.
; CHECK-LABEL: @exits(
; CHECK-NEXT:  entry:
; CHECK-NEXT:    %limit = load i32, ptr %f
; CHECK-NEXT:    %b = icmp uge i32 %x, %limit
; CHECK-NEXT:    %c = icmp eq i32 %x, 7
; CHECK:         br i1 {{%.*}}, label %use, label %end
; CHECK-NOT:     br i1
define void @exits(ptr byval(i32) dereferenceable(4) align 4 %f, i1 %a, i32 %x, ptr %p) {
entry:
  br i1 %a, label %end, label %second
second:
  %limit = load i32, ptr %f
  %b = icmp uge i32 %x, %limit
  br i1 %b, label %end, label %third
third:
  %c = icmp eq i32 %x, 7
  br i1 %c, label %end, label %use
use:
  store i32 0, ptr %p
  br label %end
end:
  ret void
}

; They lead to different values; a load; what is rare.
; CHECK-LABEL: @different_values(
; CHECK:         br i1 %a, label %second, label %next
define i32 @different_values(i1 %a, i1 %b, ptr %p) {
entry:
  br i1 %a, label %second, label %next
second:
  br i1 %b, label %use, label %next
use:
  %v = load i32, ptr %p
  br label %next
next:
  %r = phi i32 [ 0, %entry ], [ 1, %second ], [ %v, %use ]
  ret i32 %r
}

; CHECK-LABEL: @loaded_test(
; CHECK:         br i1 %a, label %second, label %next
define void @loaded_test(i1 %a, ptr %p) {
entry:
  br i1 %a, label %second, label %next
second:
  %v = load i32, ptr %p
  %b = icmp eq i32 %v, 0
  br i1 %b, label %use, label %next
use:
  store i32 1, ptr %p
  br label %next
next:
  ret void
}

; CHECK-LABEL: @rare_test(
; CHECK:         br i1 %a, label %second, label %next
define void @rare_test(i1 %a, i1 %b, ptr %p) {
entry:
  br i1 %a, label %second, label %next, !prof !{!"branch_weights", i32 1, i32 2000}
second:
  br i1 %b, label %use, label %next
use:
  store i32 1, ptr %p
  br label %next
next:
  ret void
}

; The end of a loop keeps what is said of it.
; CHECK-LABEL: @last_tests(
; CHECK:         br i1 {{%.*}}, label %loop, label %end, !llvm.loop
define void @last_tests(i32 %n, ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %more ]
  %q = getelementptr i32, ptr %p, i32 %i
  store i32 %i, ptr %q
  %v = load volatile i32, ptr %p
  %a = icmp eq i32 %v, 0
  %next = add i32 %i, 1
  br i1 %a, label %more, label %end
more:
  %b = icmp ult i32 %next, %n
  br i1 %b, label %loop, label %end, !llvm.loop !100
end:
  ret void
}
!100 = distinct !{!100, !{!"llvm.loop.mustprogress"}}
