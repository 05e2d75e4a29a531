; pow whose exponent is an integer is llvm.powi where it may be approximated. Constant exponents that are not large are
; products, others a loop of squares, which all lanes go through together where the exponent is the same.
; RUN: falx-opt -mtriple=x86_64-linux-gnu -mcpu=haswell --passes=falx-define-math -S %s | FileCheck %s
; RUN: falx-opt -mtriple=x86_64-linux-gnu -mcpu=nehalem --passes=falx-define-math -S %s | FileCheck %s
; RUN: falx-opt -mtriple=x86_64-linux-gnu -mcpu=haswell --passes=falx-define-math,falx-lower-builtins,falx-vectorize-range -S %s | FileCheck %s --check-prefix=LANES
; On GPUs they are two instructions and a product, with the sign that the exponent says.
; RUN: sed -e 's/"falx-sub-group-size"="8"/"falx-sm"="90"/' %s | falx-opt -mtriple=nvptx64-nvidia-cuda -mcpu=sm_90 --passes=falx-ptx-math -S | FileCheck %s --check-prefix=PTX

; CHECK-LABEL: define void @kernel(
; CHECK: %[[SQUARE:.*]] = fmul fast float %x, %x
; CHECK: %cube = fmul fast float %x, %[[SQUARE]]
; CHECK: %[[AGAIN:.*]] = fmul fast float %x, %x
; CHECK: %[[FOURTH:.*]] = fmul fast float %[[AGAIN]], %[[AGAIN]]
; CHECK: %inverse = fdiv fast float 1.000000e+00, %[[FOURTH]]
; CHECK-NOT: @llvm.powi
; CHECK: phi float
; CHECK: phi double
; CHECK: phi double
; LANES-LABEL: define internal void @kernel.work_item.lanes(
; LANES-NOT: call float @llvm.powi
; LANES: phi <8 x float>
; LANES: fmul {{.*}}<8 x float>

; PTX-LABEL: define void @kernel(
; PTX: %[[SQUARE:.*]] = fmul fast float %x, %x
; PTX: %cube = fmul fast float %x, %[[SQUARE]]
; PTX: %[[REAL:.*]] = sitofp i32 %n to float
; PTX: %[[MAGNITUDE:.*]] = call fast float @llvm.fabs.f32(float %x)
; PTX: %[[POWER:.*]] = call fast float @__falx_native_powr_f32(float %[[MAGNITUDE]], float %[[REAL]])
; PTX: call fast float @llvm.copysign.f32(float %[[POWER]], float %x)
; PTX: select fast i1 %{{.*}}, float 1.000000e+00
; What cannot be negative has no sign, and a pow that is exact is the library's.
; PTX: %[[SIZE:.*]] = call float @llvm.fabs.f32(float %x)
; PTX-NEXT: call fast float @__falx_native_powr_f32(float %[[SIZE]], float %y)
; PTX-NOT: copysign
; PTX: call float @_Z3powff(
declare i64 @__falx_global_id_x()
declare float @llvm.powi.f32.i32(float, i32)
declare float @llvm.pow.f32(float, float)
declare float @llvm.fabs.f32(float)
declare <2 x double> @llvm.powi.v2f64.i32(<2 x double>, i32)

define void @kernel(ptr %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="8" {
entry:
  %id = call i64 @__falx_global_id_x()
  %n = load i32, ptr %f
  %data.at = getelementptr i8, ptr %f, i64 8
  %data = load ptr, ptr %data.at
  %at = getelementptr float, ptr %data, i64 %id
  %x = load float, ptr %at
  %y = fadd float %x, 1.5
  %cube = call fast float @llvm.powi.f32.i32(float %x, i32 3)
  store volatile float %cube, ptr %at
  %inverse = call fast float @llvm.powi.f32.i32(float %x, i32 -4)
  store volatile float %inverse, ptr %at
  %power = call fast float @llvm.powi.f32.i32(float %x, i32 %n)
  store volatile float %power, ptr %at
  %size = call float @llvm.fabs.f32(float %x)
  %of.size = call fast float @llvm.pow.f32(float %size, float %y)
  store volatile float %of.size, ptr %at
  %exact = call float @llvm.pow.f32(float %x, float %y)
  store volatile float %exact, ptr %at
  %pair = load <2 x double>, ptr %at
  %powers = call <2 x double> @llvm.powi.v2f64.i32(<2 x double> %pair, i32 1001)
  store <2 x double> %powers, ptr %at
  ret void
}
