; LLVM by itself, no code of Falx. If this fails, LLVM no longer has the fault, and jit/llvm_workarounds/outlined_masks may go.
;
; Where the processor has no masked load, each access becomes a branch and two blocks per lane in place. Many accesses make
; functions of thousands of blocks, for which register allocation takes more than in proportion.
; RUN: opt -mtriple=x86_64 -mcpu=nehalem -passes=scalarize-masked-mem-intrin -S %s | FileCheck %s

; CHECK-LABEL: define <64 x i32> @load(
; CHECK-COUNT-64: {{^}}cond.load{{[0-9]*}}:
; CHECK: ret <64 x i32>
define <64 x i32> @load(ptr %at, <64 x i1> %mask, <64 x i32> %other) {
  %values = call <64 x i32> @llvm.masked.load.v64i32.p0(ptr align 4 %at, <64 x i1> %mask, <64 x i32> %other)
  ret <64 x i32> %values
}
