; A mask of 8 lanes is not shifted with a zero coming in: LLVM 22 would take the bit above it in the register. As seen with
; kernel 385 of seed 31: a load behind the end of an array.
; RUN: falx-opt --passes=falx-mask-shifts -S %s | FileCheck %s
; RUN: falx-opt --passes=falx-mask-shifts -S %s | llc -mtriple=x86_64 -mcpu=icelake-server | FileCheck %s --check-prefix=CODE

; CHECK-LABEL: define <8 x i32> @next(
; CHECK: [[SOME:%.*]] = shufflevector <8 x i1> %mask, <8 x i1> poison, <8 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 7>
; CHECK: [[NEXT:%.*]] = and <8 x i1> [[SOME]], <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 false>
; CHECK: select <8 x i1> [[NEXT]]
; CODE-LABEL: next:
; CODE-NOT: kshiftrw
; CODE: retq
define <8 x i32> @next(<8 x i8> %a, <8 x i8> %b, <8 x i32> %x, <8 x i32> %y) {
  %mask = icmp ult <8 x i8> %a, %b
  %next = shufflevector <8 x i1> %mask, <8 x i1> zeroinitializer, <8 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8>
  %r = select <8 x i1> %next, <8 x i32> %x, <8 x i32> %y
  ret <8 x i32> %r
}

; Zero as the first operand, and a lane that may be anything.
; CHECK-LABEL: define <8 x i1> @first(
; CHECK: [[SOME:%.*]] = shufflevector <8 x i1> %mask, <8 x i1> poison, <8 x i32> <i32 0, i32 7, i32 poison, i32 1, i32 4, i32 5, i32 6, i32 7>
; CHECK: and <8 x i1> [[SOME]], <i1 false, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false>
define <8 x i1> @first(<8 x i1> %mask) {
  %r = shufflevector <8 x i1> zeroinitializer, <8 x i1> %mask, <8 x i32> <i32 0, i32 15, i32 poison, i32 9, i32 1, i32 2, i32 3, i32 4>
  ret <8 x i1> %r
}

; As InstCombine leaves it: what is not taken is poison.
; CHECK-LABEL: define <8 x i1> @partly_poison(
; CHECK: [[SOME:%.*]] = shufflevector <8 x i1> %mask, <8 x i1> poison
; CHECK: and <8 x i1> [[SOME]], <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 false>
define <8 x i1> @partly_poison(<8 x i1> %mask) {
  %r = shufflevector <8 x i1> %mask, <8 x i1> <i1 false, i1 poison, i1 poison, i1 poison, i1 poison, i1 poison, i1 poison, i1 poison>, <8 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8>
  ret <8 x i1> %r
}

; Others stay.
; CHECK-LABEL: define <8 x i1> @two(
; CHECK-NEXT: shufflevector <8 x i1> %a, <8 x i1> %b
; CHECK-NEXT: ret
define <8 x i1> @two(<8 x i1> %a, <8 x i1> %b) {
  %r = shufflevector <8 x i1> %a, <8 x i1> %b, <8 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8>
  ret <8 x i1> %r
}

; The last of 8 lanes of 16: lanes 8 to 14 are not to come with it. As seen with kernel 552 of seed 1: a masked store over the next
; lane's.
; CHECK-LABEL: define i8 @of_more(
; CHECK: [[SOME:%.*]] = shufflevector <16 x i1> %mask, <16 x i1> poison, <8 x i32> <i32 7, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
; CHECK: and <8 x i1> [[SOME]], <i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>
; CODE-LABEL: of_more:
; CODE-NOT: kshiftrw $7
; CODE: retq
define i8 @of_more(<16 x i32> %x) {
  %mask = icmp slt <16 x i32> %x, zeroinitializer
  %last = shufflevector <16 x i1> %mask, <16 x i1> zeroinitializer, <8 x i32> <i32 7, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16>
  %bits = bitcast <8 x i1> %last to i8
  ret i8 %bits
}

; Shorter masks, too: as seen with kernel 3840 of seed 20261125, three masked loads of which lanes were missing. Shifts and blends.
; CHECK-LABEL: define <4 x i1> @of_four(
; CHECK: [[SOME:%.*]] = shufflevector <4 x i1> %mask, <4 x i1> poison, <4 x i32> <i32 0, i32 0, i32 1, i32 2>
; CHECK: and <4 x i1> [[SOME]], <i1 false, i1 true, i1 true, i1 true>
; CHECK: [[EVEN:%.*]] = shufflevector <4 x i1> %{{.*}}, <4 x i1> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
; CHECK: and <4 x i1> [[EVEN]], <i1 true, i1 false, i1 true, i1 false>
define <4 x i1> @of_four(<4 x i1> %mask) {
  %before = shufflevector <4 x i1> %mask, <4 x i1> <i1 false, i1 poison, i1 poison, i1 poison>, <4 x i32> <i32 4, i32 0, i32 1, i32 2>
  %even = shufflevector <4 x i1> %before, <4 x i1> <i1 poison, i1 false, i1 poison, i1 false>, <4 x i32> <i32 0, i32 5, i32 2, i32 7>
  ret <4 x i1> %even
}
