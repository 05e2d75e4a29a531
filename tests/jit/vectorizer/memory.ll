; Accesses by the shape of their addresses: scalar, vector, vector with gaps, gather, lane by lane.
; RUN: falx-opt -mtriple=x86_64 -mcpu=icelake-server --passes=falx-lower-builtins,falx-vectorize -S %s | FileCheck %s

declare i64 @__falx_global_id_x()

; CHECK-LABEL: define internal void @kernel.work_item.lanes(
; CHECK: %uniform = load float, ptr %data
; CHECK: %next = call <4 x float> @llvm.masked.load.v4f32.p0(ptr align 4 %at
; CHECK: call <4 x float> @llvm.masked.load.v4f32.p0(ptr align 4 %even.at
; CHECK: shufflevector <4 x float> {{.*}}, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
; CHECK: call <4 x float> @llvm.masked.gather.v4f32.v4p0(
; CHECK: call void @llvm.masked.scatter.v4f32.v4p0(
; CHECK: lane:
; CHECK: atomicrmw fadd ptr %{{.*}}, float
define void @kernel(ptr %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="4" {
  %id = call i64 @__falx_global_id_x()
  %data = load ptr, ptr %f
  %uniform = load float, ptr %data
  %at = getelementptr float, ptr %data, i64 %id
  %next = load float, ptr %at
  %twice = mul i64 %id, 2
  %even.at = getelementptr float, ptr %data, i64 %twice
  %even = load float, ptr %even.at
  %number = fptosi float %even to i64
  %any.at = getelementptr float, ptr %data, i64 %number
  %any = load float, ptr %any.at
  %sum = fadd float %any, %uniform
  %all = fadd float %sum, %next
  store float %all, ptr %any.at
  %old = atomicrmw fadd ptr %any.at, float %all monotonic
  ret void
}
