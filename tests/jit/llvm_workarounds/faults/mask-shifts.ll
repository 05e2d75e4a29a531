; LLVM by itself, no code of Falx. If this fails, LLVM no longer has the fault, and jit/llvm_workarounds/mask_shifts may go.
;
; Lane 7 of %next is false. The comparison of 8 bytes is made as one of 16, of which bits 8 to 15 are whatever the upper halves
; of the registers gave; the shift by one of a mask register of 16 bits takes bit 8 into lane 7. A right sequence clears it.
; RUN: llc -mtriple=x86_64 -mcpu=skylake-avx512 %s -o - | FileCheck %s

; CHECK-LABEL: next:
; CHECK: vpcmpltub %xmm1, %xmm0, %[[ALL:k[0-7]]]{{$}}
; CHECK-NEXT: kshiftrw $1, %[[ALL]], %[[NEXT:k[0-7]]]
; CHECK-NEXT: vpblendmd %ymm2, %ymm3, %ymm0 {%[[NEXT]]}
; CHECK-NEXT: retq
define <8 x i32> @next(<8 x i8> %a, <8 x i8> %b, <8 x i32> %x, <8 x i32> %y) {
  %mask = icmp ult <8 x i8> %a, %b
  %next = shufflevector <8 x i1> %mask, <8 x i1> zeroinitializer, <8 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8>
  %chosen = select <8 x i1> %next, <8 x i32> %x, <8 x i32> %y
  ret <8 x i32> %chosen
}

; The same of 16 lanes, of which 8 are taken: bits 1 to 7 of the result are false, and come out as lanes 8 to 14.
; CHECK-LABEL: of_more:
; CHECK: vpmovd2m %zmm0, %[[ALL:k[0-7]]]
; CHECK-NEXT: kshiftrw $7, %[[ALL]], %[[LAST:k[0-7]]]
; CHECK-NEXT: kmovd %[[LAST]], %eax
; CHECK-NOT: and
; CHECK: retq
define i8 @of_more(<16 x i32> %x) {
  %mask = icmp slt <16 x i32> %x, zeroinitializer
  %last = shufflevector <16 x i1> %mask, <16 x i1> zeroinitializer, <8 x i32> <i32 7, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16>
  %bits = bitcast <8 x i1> %last to i8
  ret i8 %bits
}
