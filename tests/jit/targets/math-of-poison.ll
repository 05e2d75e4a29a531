; Of poison an intrinsic is poison, but a library's function that branches on it is undefined behaviour, and
; kernels were empty: so operands are frozen. LLVM makes elements of vectors poison that nobody uses, as here
; all but the first, which alone is computed.
; RUN: falx-opt -mtriple=x86_64-linux-gnu -mcpu=haswell --passes=falx-define-math -S %s | FileCheck %s
; RUN: falx-opt -mtriple=x86_64-linux-gnu -mcpu=haswell '--passes=falx-cpu<lanes=8>' -S %s | FileCheck %s --check-prefix=CODE
; RUN: falx-opt -mtriple=nvptx64-nvidia-cuda -mcpu=sm_90 --passes=falx-ptx-math -S %s | FileCheck %s --check-prefix=PTX
declare i64 @__falx_global_id_x()
declare float @llvm.sin.f32(float)
declare float @llvm.exp.f32(float)
declare <4 x float> @llvm.sin.v4f32(<4 x float>)

; CHECK-LABEL: define void @kernel(
; CHECK: [[FROZEN:%.*]] = freeze float %x
; CHECK: call float @llvm.fabs.f32(float [[FROZEN]])
; CHECK: br i1
; CHECK-NOT: freeze float
; CODE-LABEL: define internal void @kernel(
; CODE: fma.v8f32
; CODE: store
; PTX-LABEL: define void @kernel(
; PTX: [[FROZEN:%.*]] = freeze float
; PTX: call float @_Z3sinf(float [[FROZEN]])
define void @kernel(ptr %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="8" {
entry:
  %id = call i64 @__falx_global_id_x()
  %data = load ptr, ptr %f
  %at = getelementptr float, ptr %data, i64 %id
  %x = load float, ptr %at
  %vector = insertelement <4 x float> poison, float %x, i64 0
  %sines = call <4 x float> @llvm.sin.v4f32(<4 x float> %vector)
  %sine = extractelement <4 x float> %sines, i64 0
  store float %sine, ptr %at
  ret void
}

; Or it computes something ahead of the condition that the sum does not overflow.
; CHECK-LABEL: define float @ahead(
; CHECK: freeze float %number
; PTX-LABEL: define float @ahead(
; PTX: freeze float %number
define float @ahead(i32 %i, i1 %is_small) {
  %more = add nsw i32 %i, 1
  %number = sitofp i32 %more to float
  %sine = call float @llvm.sin.f32(float %number)
  %result = select i1 %is_small, float %sine, float 3.0
  ret float %result
}

; Where there is no branch, what is known of the operand stays known.
; CHECK-LABEL: define float @power(
; CHECK-NOT: freeze
; CHECK: ret float
define float @power(float %x) {
  %power = call float @llvm.exp.f32(float %x)
  ret float %power
}
