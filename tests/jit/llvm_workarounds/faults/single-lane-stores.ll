; LLVM by itself, no code of Falx. If this fails, LLVM no longer has the fault, and jit/llvm_workarounds/single_lane_stores may
; go. Upstream: llvm/llvm-project issue 179489, fixed by pull request 179853, which LLVM 22.1.8 does not have.
;
; Four bytes are to be stored, the lower half of a lane of 8. All 8 are.
; RUN: llc -mtriple=x86_64 -mcpu=skylake-avx512 %s -o - | FileCheck %s

; CHECK-LABEL: first:
; CHECK: {{movq|vmovq|vmovlps|vmovlpd}} %{{.*}}, (%rdi)
; CHECK-NEXT: retq
define void @first(ptr %at, <2 x i64> %x) {
  %low = trunc <2 x i64> %x to <2 x i32>
  call void @llvm.masked.store.v2i32.p0(<2 x i32> %low, ptr align 4 %at, <2 x i1> <i1 true, i1 false>)
  ret void
}
