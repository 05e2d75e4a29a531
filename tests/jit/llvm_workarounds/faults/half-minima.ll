; LLVM by itself, no code of Falx. If this fails, LLVM no longer has the fault, and jit/llvm_workarounds/half_minima may go.
;
; The lesser of two halves on a processor without AVX-512 FP16: a call of fminf for each element, where the same operation on
; floats takes three instructions for all.
; RUN: llc -mtriple=x86_64 -mcpu=skylake-avx512 %s -o - | FileCheck %s

; CHECK-LABEL: of_halves:
; CHECK-COUNT-16: callq fminf@PLT
; CHECK: retq
define <16 x half> @of_halves(<16 x half> %x, <16 x half> %y) {
  %least = call <16 x half> @llvm.minnum.v16f16(<16 x half> %x, <16 x half> %y)
  ret <16 x half> %least
}

; CHECK-LABEL: of_floats:
; CHECK-NOT: call
; CHECK: vminps
; CHECK: retq
define <16 x float> @of_floats(<16 x float> %x, <16 x float> %y) {
  %least = call <16 x float> @llvm.minnum.v16f32(<16 x float> %x, <16 x float> %y)
  ret <16 x float> %least
}
