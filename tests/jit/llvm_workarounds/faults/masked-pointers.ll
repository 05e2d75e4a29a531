; LLVM by itself, no code of Falx. If this fails, LLVM no longer has the fault, and jit/llvm_workarounds/masked_pointers may go.
;
; Elements of a vector that is aligned to 32 bytes are aligned to 8. Where the element is a pointer, each store promises 32.
; RUN: opt -mtriple=x86_64 -mcpu=nehalem -passes=scalarize-masked-mem-intrin -S %s | FileCheck %s

; CHECK-LABEL: define void @of_pointers(
; CHECK-COUNT-4: store ptr {{.*}}, align 32
define void @of_pointers(ptr %at, <4 x ptr> %values, <4 x i1> %mask) {
  call void @llvm.masked.store.v4p0.p0(<4 x ptr> %values, ptr align 32 %at, <4 x i1> %mask)
  ret void
}

; CHECK-LABEL: define void @of_integers(
; CHECK-COUNT-4: store i64 {{.*}}, align 8
define void @of_integers(ptr %at, <4 x i64> %values, <4 x i1> %mask) {
  call void @llvm.masked.store.v4i64.p0(<4 x i64> %values, ptr align 32 %at, <4 x i1> %mask)
  ret void
}
