; LLVM by itself, no code of Falx. If this fails, LLVM no longer has the fault, and jit/llvm_workarounds/masked_loads is only
; worth what a load less saves.
;
; Lanes 19 to 31 must not be loaded: the memory need not exist. The load is split into four of 8 lanes, and the last one, whose
; mask is false, becomes a plain load of bytes 96 to 127.
; RUN: llc -mtriple=x86_64 -mcpu=haswell %s -o - | FileCheck %s

; CHECK-LABEL: choose:
; CHECK: {{vmovups|vmovaps|vmovdqu|vmovdqa}} 96(%rdi), %ymm
; CHECK: retq
define <32 x i32> @choose(ptr %at, <32 x float> %x, <32 x i32> %other) {
  %chosen = fcmp ogt <32 x float> %x, splat (float 2.200000e+01)
  %mask = select <32 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <32 x i1> %chosen, <32 x i1> zeroinitializer
  %values = call <32 x i32> @llvm.masked.load.v32i32.p0(ptr align 16 %at, <32 x i1> %mask, <32 x i32> %other)
  ret <32 x i32> %values
}
