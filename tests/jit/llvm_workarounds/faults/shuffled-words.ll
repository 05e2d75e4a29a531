; LLVM by itself, no code of Falx. If this fails, LLVM no longer has the fault, and jit/llvm_workarounds/shuffled_words is no
; workaround any more (it still makes shorter code).
;
; Of a shuffle of words, of which only the halves of some lanes are used, an extension of 256 bits within a register is made, which
; no instruction is.
; RUN: not --crash llc -mtriple=x86_64 -mcpu=skylake-avx512 %s -o /dev/null 2>&1 | FileCheck %s
; CHECK: Cannot select: {{.*}} v4i64 = zero_extend_vector_inreg

define <16 x float> @add(<16 x float> %x) {
  %bits = bitcast <16 x float> %x to <16 x i32>
  %word = zext <16 x i32> %bits to <16 x i64>
  %other = shufflevector <16 x i64> %word, <16 x i64> zeroinitializer, <16 x i32> <i32 12, i32 13, i32 14, i32 15, i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11>
  %half = trunc <16 x i64> %other to <16 x i32>
  %number = bitcast <16 x i32> %half to <16 x float>
  %some = shufflevector <16 x float> zeroinitializer, <16 x float> %number, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 20, i32 21, i32 22, i32 23, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison>
  ret <16 x float> %some
}
