; Integers of more than 64 bits become halves by way of 32 bits; all from 65520 on are infinity.
; RUN: falx-opt --passes=falx-wide-integers -S %s | FileCheck %s

; CHECK-LABEL: define half @unsigned(
; CHECK: %[[LEAST:.*]] = call i128 @llvm.umin.i128(i128 %x, i128 131072)
; CHECK: %[[NARROW:.*]] = trunc i128 %[[LEAST]] to i32
; CHECK: %[[HALF:.*]] = uitofp i32 %[[NARROW]] to half
; CHECK: ret half %[[HALF]]
define half @unsigned(i128 %x) {
  %half = uitofp i128 %x to half
  ret half %half
}

; CHECK-LABEL: define <2 x half> @signed(
; CHECK: %[[LEAST:.*]] = call <2 x i80> @llvm.smin.v2i80(<2 x i80> %x, <2 x i80> splat (i80 131072))
; CHECK: %[[GREATEST:.*]] = call <2 x i80> @llvm.smax.v2i80(<2 x i80> %[[LEAST]], <2 x i80> splat (i80 -131072))
; CHECK: %[[NARROW:.*]] = trunc <2 x i80> %[[GREATEST]] to <2 x i32>
; CHECK: sitofp <2 x i32> %[[NARROW]] to <2 x half>
define <2 x half> @signed(<2 x i80> %x) {
  %half = sitofp <2 x i80> %x to <2 x half>
  ret <2 x half> %half
}

; CHECK-LABEL: define half @narrow(
; CHECK: uitofp i64 %x to half
define half @narrow(i64 %x) {
  %half = uitofp i64 %x to half
  ret half %half
}

; CHECK-LABEL: define float @as_float(
; CHECK: uitofp i128 %x to float
define float @as_float(i128 %x) {
  %float = uitofp i128 %x to float
  ret float %float
}
