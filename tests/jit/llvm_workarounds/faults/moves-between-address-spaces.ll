; NVPTXLowerAggrCopies erases a memmove between address spaces that it cannot expand: nothing is copied.
; RUN: llc -mtriple=nvptx64-nvidia-cuda -mcpu=sm_70 %s -o - | FileCheck %s
; CHECK-LABEL: .func moves(
; CHECK-NOT: ld.
; CHECK-NOT: st.
; CHECK: ret;

target triple = "nvptx64-nvidia-cuda"

define void @moves(ptr addrspace(1) %to, ptr %from) {
  call void @llvm.memmove.p1.p0.i64(ptr addrspace(1) align 4 %to, ptr align 4 %from, i64 256, i1 false)
  ret void
}

declare void @llvm.memmove.p1.p0.i64(ptr addrspace(1), ptr, i64, i1)
