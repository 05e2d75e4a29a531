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
