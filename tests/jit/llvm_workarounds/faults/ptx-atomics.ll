; LLVM by itself, no code of Falx. If this fails, LLVM no longer has the fault, and most of jit/llvm_workarounds/ptx_atomics may
; go. Upstream: fixed in LLVM 23 by llvm/llvm-project pull request 179553.
;
; Read-modify-write operations lose order and scope; compare-and-swap has both.
; RUN: llc -mtriple=nvptx64 -mcpu=sm_90 -mattr=+ptx80 %s -o - | FileCheck %s

; CHECK-LABEL: add(
; CHECK: atom.global.add.u32
define i32 @add(ptr addrspace(1) %p, i32 %v) {
  %old = atomicrmw add ptr addrspace(1) %p, i32 %v syncscope("block") acq_rel
  ret i32 %old
}

; CHECK-LABEL: exchange(
; CHECK-NOT: fence.sc
; CHECK: atom.global.exch.b32
define i32 @exchange(ptr addrspace(1) %p, i32 %v) {
  %old = atomicrmw xchg ptr addrspace(1) %p, i32 %v seq_cst
  ret i32 %old
}

; CHECK-LABEL: swap(
; CHECK: atom.acq_rel.cta.global.cas.b32
define i32 @swap(ptr addrspace(1) %p, i32 %v) {
  %pair = cmpxchg ptr addrspace(1) %p, i32 %v, i32 0 syncscope("block") acq_rel monotonic
  %old = extractvalue { i32, i1 } %pair, 0
  ret i32 %old
}
