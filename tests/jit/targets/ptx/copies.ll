; Copies become wide loads and stores; moves between address spaces, which LLVM drops, become what it expands.
; RUN: falx-opt -mtriple=nvptx64-nvidia-cuda -mcpu=sm_90 --passes=falx-ptx-copies -S %s | FileCheck %s
; RUN: falx-opt -mtriple=nvptx64-nvidia-cuda -mcpu=sm_90 --passes=falx-ptx-copies %s > %t.ll
; RUN: llc -mtriple=nvptx64-nvidia-cuda -mcpu=sm_90 %t.ll -o - | FileCheck %s --check-prefix=PTX

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: @small(
; CHECK: load <4 x i32>, ptr addrspace(1) {{.*}}, align 16
; CHECK: load i32, ptr addrspace(1) {{.*}}, align 16
; CHECK: store <4 x i32>
; CHECK: store i32
; CHECK-NOT: memcpy
; CHECK: ret void
define void @small(ptr addrspace(3) %to, ptr addrspace(1) %from) {
  call void @llvm.memcpy.p3.p1.i64(ptr addrspace(3) align 16 %to, ptr addrspace(1) align 16 %from, i64 20, i1 false)
  ret void
}

; CHECK-LABEL: @long(
; CHECK: phi i64 [ 0,
; CHECK-COUNT-4: load <4 x i32>
; CHECK-COUNT-4: store <4 x i32>
; CHECK: icmp eq i64 {{.*}}, 16
; CHECK: load <4 x i32>
; CHECK: store <4 x i32>
; CHECK-NOT: memcpy
; CHECK: ret void
define void @long(ptr addrspace(1) %to, ptr addrspace(1) %from) {
  call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) align 16 %to, ptr addrspace(1) align 16 %from, i64 1040, i1 false)
  ret void
}

; Bytes, and lengths that are not known, are LLVM's.
; CHECK-LABEL: @bytes(
; CHECK-COUNT-2: call void @llvm.memcpy
define void @bytes(ptr addrspace(1) %to, ptr addrspace(1) %from, i64 %length) {
  call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) %to, ptr addrspace(1) %from, i64 1040, i1 false)
  call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) align 4 %to, ptr addrspace(1) align 4 %from, i64 %length, i1 false)
  ret void
}

; Private variables and global memory are disjoint.
; CHECK-LABEL: @from_variable(
; CHECK-NOT: memmove
; CHECK: store i32 {{.*}}, ptr addrspace(1)
; CHECK-NOT: memmove
; CHECK: ret void
define void @from_variable(ptr addrspace(1) %to) {
  %from = alloca [256 x i8], align 4
  call void @llvm.memmove.p1.p0.i64(ptr addrspace(1) align 4 %to, ptr align 4 %from, i64 256, i1 false)
  ret void
}

; So are global and shared memory.
; CHECK-LABEL: @shared_memory(
; CHECK: call void @llvm.memcpy.p1.p3.i64(
; PTX-LABEL: shared_memory(
; PTX: st.global
; PTX: ret;
define void @shared_memory(ptr addrspace(1) %to, ptr addrspace(3) %from, i64 %length) {
  call void @llvm.memmove.p1.p3.i64(ptr addrspace(1) %to, ptr addrspace(3) %from, i64 %length, i1 false)
  ret void
}

; Generic addresses may be global ones.
; CHECK-LABEL: @overlapping(
; CHECK: %generic = addrspacecast ptr addrspace(1) %to to ptr
; CHECK: call void @llvm.memmove.p0.p0.i64(ptr align 4 %generic, ptr align 4 %from, i64 256, i1 false)
; CHECK: call void @llvm.memmove.p0.p0.i64(ptr %generic{{.*}}, ptr %from, i64 %length, i1 false)
; PTX-LABEL: overlapping(
; PTX-COUNT-4: st.global.b8
; PTX: ret;
define void @overlapping(ptr addrspace(1) %to, ptr %from, i64 %length) {
  call void @llvm.memmove.p1.p0.i64(ptr addrspace(1) align 4 %to, ptr align 4 %from, i64 256, i1 false)
  call void @llvm.memmove.p1.p0.i64(ptr addrspace(1) %to, ptr %from, i64 %length, i1 false)
  ret void
}

; Memory that generic addresses of variables may reach.
; CHECK-LABEL: @local_memory(
; CHECK: call void @llvm.memmove.p0.p0.i64(
define void @local_memory(ptr addrspace(5) %to, i64 %length) {
  %from = alloca [256 x i8], align 4
  call void @llvm.memmove.p5.p0.i64(ptr addrspace(5) %to, ptr %from, i64 %length, i1 false)
  ret void
}

; Long memory is set by words, short memory is LLVM's, as is what is not aligned.
; CHECK-LABEL: @sets(
; CHECK:      [[BYTE:%.*]] = zext i8 %byte to i32
; CHECK-NEXT: [[WORD:%.*]] = mul i32 [[BYTE]], 16843009
; CHECK:      insertelement <4 x i32> poison, i32 [[WORD]]
; CHECK:      store <4 x i32> {{%.*}}, ptr addrspace(1) {{%.*}}, align 16
; CHECK:      store i32 [[WORD]], ptr addrspace(1) {{%.*}}, align 16
; CHECK:      [[LOW:%.*]] = trunc i32 [[WORD]] to i16
; CHECK-NEXT: {{.*}} = getelementptr
; CHECK-NEXT: store i16 [[LOW]], ptr addrspace(1) {{%.*}}, align 4
; CHECK:      call void @llvm.memset.p1.i64(ptr addrspace(1) align 4 %to, i8 0, i64 16, i1 false)
; CHECK-NEXT: call void @llvm.memset.p1.i64(ptr addrspace(1) %to, i8 0, i64 1024, i1 false)
; CHECK-NEXT: call void @llvm.memset.p1.i64(ptr addrspace(1) align 4 %to, i8 0, i64 1024, i1 true)
; CHECK-NEXT: ret void
define void @sets(ptr addrspace(1) %to, i8 %byte) {
  call void @llvm.memset.p1.i64(ptr addrspace(1) align 16 %to, i8 %byte, i64 182, i1 false)
  call void @llvm.memset.p1.i64(ptr addrspace(1) align 4 %to, i8 0, i64 16, i1 false)
  call void @llvm.memset.p1.i64(ptr addrspace(1) %to, i8 0, i64 1024, i1 false)
  call void @llvm.memset.p1.i64(ptr addrspace(1) align 4 %to, i8 0, i64 1024, i1 true)
  ret void
}

declare void @llvm.memset.p1.i64(ptr addrspace(1), i8, i64, i1)
declare void @llvm.memcpy.p3.p1.i64(ptr addrspace(3), ptr addrspace(1), i64, i1)
declare void @llvm.memcpy.p1.p1.i64(ptr addrspace(1), ptr addrspace(1), i64, i1)
declare void @llvm.memmove.p1.p0.i64(ptr addrspace(1), ptr, i64, i1)
declare void @llvm.memmove.p1.p3.i64(ptr addrspace(1), ptr addrspace(3), i64, i1)
declare void @llvm.memmove.p5.p0.i64(ptr addrspace(5), ptr, i64, i1)
