; Functions of headers that GPUs have instructions for get other bodies; what a GPU lacks stays as it is.
; RUN: falx-opt --passes=falx-ptx-native-functions,falx-define-builtins-ptx %s | FileCheck %s
; RUN: sed 's/"falx-sm"="70"/"falx-sm"="90"/' %s | falx-opt --passes=falx-ptx-native-functions,falx-define-builtins-ptx - | FileCheck %s --check-prefix=NEW

; Only since sm_80 is there an instruction that rounds once.
; CHECK-LABEL: define linkonce_odr i16 @falx.bfloat16_fma(
; CHECK: fmul double
; CHECK-LABEL: define linkonce_odr i32 @falx.read_only_u32(
; CHECK-NEXT: load i32, ptr %p, align 4, !invariant.load
; CHECK-LABEL: define linkonce_odr float @falx.native_tanh(
; CHECK-NEXT: ret float %x
; A program's own function of a like name is none of them.
; CHECK-LABEL: define linkonce_odr i32 @falx.other(
; CHECK-NEXT: ret i32 1
; CHECK-LABEL: define internal {{.*}}i16 @falx.bfloat16_bits(float
; CHECK-NEXT: [[ROUNDED:%.*]] = fptrunc float {{%.*}} to bfloat
; CHECK-NEXT: [[BITS:%.*]] = bitcast bfloat [[ROUNDED]] to i16
; CHECK-NEXT: ret i16 [[BITS]]
; CHECK-LABEL: define internal i64 @falx.device_clock(
; CHECK-NEXT: call i64 @llvm.readsteadycounter()
; CHECK-LABEL: define internal i32 @falx.dot_acc_su(
; CHECK-NEXT: call i32 @llvm.nvvm.idp4a.s.u(i32
; CHECK-LABEL: define internal {{.*}}float @falx.int64_to_float_rtp(
; CHECK: call {{.*}}float @llvm.nvvm.ll2f.rp(i64
; CHECK-LABEL: define internal {{.*}}double @falx.dsub_rd(
; CHECK: [[NEGATIVE:%.*]] = fneg double
; CHECK: call {{.*}}double @llvm.nvvm.add.rm.d(double {{.*}}, double {{.*}}[[NEGATIVE]])

; NEW-LABEL: define internal float @falx.native_tanh(
; NEW: call afn float @llvm.tanh.f32(float
; NEW-LABEL: define internal {{.*}}i16 @falx.bfloat16_fma(
; NEW: call bfloat @llvm.fma.bf16(bfloat
; NEW-NOT: fmul

define linkonce_odr i16 @falx.bfloat16_bits(float %value) {
  %bits = bitcast float %value to i32
  %high = lshr i32 %bits, 16
  %result = trunc i32 %high to i16
  ret i16 %result
}

define linkonce_odr i16 @falx.bfloat16_fma(i16 %a, i16 %b, i16 %c) {
  %x = sitofp i16 %a to double
  %y = fmul double %x, %x
  %z = fptosi double %y to i16
  ret i16 %z
}

define linkonce_odr i32 @falx.dot_acc_su(i32 %a, i32 %b, i32 %c) {
  ret i32 %c
}

define linkonce_odr float @falx.int64_to_float_rtp(i64 %value) {
  %x = sitofp i64 %value to float
  ret float %x
}

define linkonce_odr double @falx.dsub_rd(double %a, double %b) {
  %x = fsub double %a, %b
  ret double %x
}

define linkonce_odr i64 @falx.device_clock() {
  %t = call i64 @llvm.readcyclecounter()
  ret i64 %t
}

define linkonce_odr i32 @falx.read_only_u32(ptr %p) {
  %x = load i32, ptr %p
  ret i32 %x
}

define linkonce_odr float @falx.native_tanh(float %x) {
  ret float %x
}

define linkonce_odr i32 @falx.other() {
  ret i32 1
}

declare i64 @llvm.readcyclecounter()

define void @kernel(ptr %f) #0 {
  ret void
}
attributes #0 = { "falx-kind"="0" "falx-sm"="70" }
