; Where 2 units in the last place may be wrong, the reciprocal root of a vector is an estimate and one step of
; refinement. Halves of what is wider go on their own; other divisions and narrower vectors stay.
; RUN: falx-opt --passes=falx-estimate-roots -S %s | FileCheck %s

declare <16 x float> @llvm.sqrt.v16f32(<16 x float>)
declare <32 x float> @llvm.sqrt.v32f32(<32 x float>)
declare <8 x float> @llvm.sqrt.v8f32(<8 x float>)

; CHECK-LABEL: define void @kernel(
; CHECK: %[[GUESS:.*]] = call <16 x float> @llvm.x86.avx512.rsqrt14.ps.512(<16 x float> %x, <16 x float> zeroinitializer, i16 -1)
; CHECK: %[[PRODUCT:.*]] = fmul <16 x float> %x, %[[GUESS]]
; CHECK: %[[NEGATED:.*]] = fneg <16 x float> %[[PRODUCT]]
; CHECK: %[[ERROR:.*]] = call <16 x float> @llvm.fma.v16f32(<16 x float> %[[NEGATED]], <16 x float> %[[GUESS]], <16 x float> splat (float 1.000000e+00))
; CHECK: %[[SMALL:.*]] = fcmp olt <16 x float> %[[ERROR]], splat (float 1.000000e+00)
; CHECK: %[[LIMITED:.*]] = select <16 x i1> %[[SMALL]], <16 x float> %[[ERROR]], <16 x float> splat (float 1.000000e+00)
; CHECK: %[[HALF:.*]] = fmul <16 x float> %[[GUESS]], splat (float 5.000000e-01)
; CHECK: %[[Y:.*]] = call <16 x float> @llvm.fma.v16f32(<16 x float> %[[HALF]], <16 x float> %[[LIMITED]], <16 x float> %[[GUESS]])
; CHECK: store <16 x float> %[[Y]]
; CHECK-COUNT-2: call <16 x float> @llvm.x86.avx512.rsqrt14.ps.512(
; CHECK: store <32 x float>
; CHECK-NOT: rsqrt14
; CHECK: fdiv <16 x float>
; CHECK: fdiv <8 x float>
define void @kernel(ptr %p, <16 x float> %x, <32 x float> %wide, <8 x float> %narrow) "falx-kind"="1" {
  %root = call <16 x float> @llvm.sqrt.v16f32(<16 x float> %x)
  %y = fdiv <16 x float> splat (float 1.0), %root, !fpmath !0
  store <16 x float> %y, ptr %p
  %wide.root = call <32 x float> @llvm.sqrt.v32f32(<32 x float> %wide)
  %wide.y = fdiv <32 x float> splat (float 1.0), %wide.root, !fpmath !0
  store <32 x float> %wide.y, ptr %p
  %exact.root = call <16 x float> @llvm.sqrt.v16f32(<16 x float> %x)
  %exact = fdiv <16 x float> splat (float 1.0), %exact.root
  store <16 x float> %exact, ptr %p
  %narrow.root = call <8 x float> @llvm.sqrt.v8f32(<8 x float> %narrow)
  %narrow.y = fdiv <8 x float> splat (float 1.0), %narrow.root, !fpmath !0
  store <8 x float> %narrow.y, ptr %p
  ret void
}
!0 = !{float 2.0}
