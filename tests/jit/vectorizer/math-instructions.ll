; Square roots and fma of <math.h> that cannot set errno are instructions. So is rounding; ldexp is a function of the library.
; RUN: falx-opt --passes=falx-lower-builtins,falx-vectorize -S %s | FileCheck %s

declare i64 @__falx_global_id_x()
declare float @sqrtf(float)
declare double @fma(double, double, double)
declare float @llvm.round.f32(float)
declare float @llvm.ldexp.f32.i32(float, i32)

; CHECK-LABEL: define internal void @kernel.work_item.lanes(
; CHECK: call <8 x float> @llvm.sqrt.v8f32(<8 x float>
; CHECK: call <8 x double> @llvm.fma.v8f64(
; CHECK: call <8 x float> @llvm.round.v8f32(
; These are called by one lane after the other: ldexp, and the root that has an effect here.
; CHECK: br i1 %{{.*}}, label %some, label %
; CHECK: some:
; CHECK: lane:
; CHECK: call float @llvm.ldexp.f32.i32(float
; CHECK: call float @sqrtf(float
define void @kernel(ptr %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="8" {
entry:
  %id = call i64 @__falx_global_id_x()
  %data = load ptr, ptr %f
  %at = getelementptr float, ptr %data, i64 %id
  %x = load float, ptr %at
  %root = call float @sqrtf(float %x) memory(none) nounwind willreturn
  %wide = fpext float %root to double
  %sum = call double @fma(double %wide, double %wide, double 1.0) memory(none) nounwind willreturn
  %narrow = fptrunc double %sum to float
  %whole = call float @llvm.round.f32(float %narrow)
  %scaled = call float @llvm.ldexp.f32.i32(float %whole, i32 3)
  store float %scaled, ptr %at
  %negative = fcmp olt float %x, 0.0
  br i1 %negative, label %some, label %end
some:
  %other = call float @sqrtf(float %narrow)
  store float %other, ptr %at
  br label %end
end:
  ret void
}
