; The pipelines for GPUs by name, as the JIT runs them: the first has the host's analyses, the second the GPU's.
; RUN: falx-opt --passes=falx-ptx-lowering %s > %t.ll
; RUN: FileCheck %s --check-prefix=LOWERED < %t.ll
; RUN: falx-opt -mtriple=nvptx64-nvidia-cuda -mcpu=sm_90 --passes=falx-ptx-optimization %t.ll | FileCheck %s
; RUN: not falx-opt -mtriple=x86_64-linux-gnu --passes=falx-ptx-optimization %t.ll 2>&1 | FileCheck %s --check-prefix=CPU
; LOWERED: target triple = "x86_64
; LOWERED: define ptx_kernel void @kernel(
; LOWERED: addrspacecast ptr %data to ptr addrspace(1)
; LOWERED: call {{.*}}float @_Z3sinf(
; CHECK: target triple = "nvptx64
; CHECK: define ptx_kernel void @kernel(
; CHECK: load float, ptr addrspace(1)
; CHECK-NOT: call {{.*}}@_Z3sinf
; CHECK: store float {{.*}}, ptr addrspace(1)
; CPU: unknown pass name 'falx-ptx-optimization'
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare i64 @__falx_global_id_x()
declare float @sinf(float)

define void @kernel(ptr dereferenceable(8) %f) "falx-kind"="1" "falx-dimensions"="1" {
  %data = load ptr, ptr %f
  %id = call i64 @__falx_global_id_x()
  %at = getelementptr float, ptr %data, i64 %id
  %x = load float, ptr %at
  %y = call float @sinf(float %x)
  store float %y, ptr %at
  ret void
}
