; The lesser and greater of halves are found among floats.
; RUN: falx-opt --passes=falx-half-minima -S %s | FileCheck %s

; CHECK-LABEL: define <16 x half> @of_vectors(
; CHECK: %[[X:.*]] = fpext <16 x half> %x to <16 x float>
; CHECK: %[[Y:.*]] = fpext <16 x half> %y to <16 x float>
; CHECK: %[[LEAST:.*]] = call <16 x float> @llvm.minnum.v16f32(<16 x float> %[[X]], <16 x float> %[[Y]])
; CHECK: %least = fptrunc <16 x float> %[[LEAST]] to <16 x half>
; CHECK: ret <16 x half> %least
define <16 x half> @of_vectors(<16 x half> %x, <16 x half> %y) {
  %least = call <16 x half> @llvm.minnum.v16f16(<16 x half> %x, <16 x half> %y)
  ret <16 x half> %least
}

; CHECK-LABEL: define half @of_halves(
; CHECK: call float @llvm.maxnum.f32(
define half @of_halves(half %x, half %y) {
  %greatest = call half @llvm.maxnum.f16(half %x, half %y)
  ret half %greatest
}

; CHECK-LABEL: define double @of_doubles(
; CHECK: call double @llvm.maxnum.f64(
define double @of_doubles(double %x, double %y) {
  %greatest = call double @llvm.maxnum.f64(double %x, double %y)
  ret double %greatest
}
