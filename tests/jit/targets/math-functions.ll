; Functions that the JIT has a body for become part of the kernel; those that may be
; approximated have a shorter one. ldexp at their end is an instruction of AVX-512. Without fused
; multiply-add, only those have one that SLEEF has wrong.
; RUN: falx-opt -mtriple=x86_64-linux-gnu -mcpu=haswell --passes=falx-define-math -S %s | FileCheck %s
; RUN: falx-opt -mtriple=x86_64-linux-gnu -mcpu=skylake-avx512 --passes=falx-define-math -S %s | FileCheck %s --check-prefix=AVX512
; RUN: falx-opt -mtriple=x86_64-linux-gnu -mcpu=nehalem --passes=falx-define-math -S %s | FileCheck %s --check-prefix=NEHALEM
; RUN: falx-opt -mtriple=x86_64-linux-gnu -mcpu=skylake-avx512 --passes=falx-define-math,falx-lower-builtins,falx-vectorize-range -S %s | FileCheck %s --check-prefix=LANES
; CHECK-LABEL: define void @kernel(
; CHECK-NOT: call float @expf(
; CHECK-NOT: @llvm.exp.
; CHECK-NOT: @llvm.ldexp
; CHECK: call double @erf(
; AVX512-LABEL: define void @kernel(
; AVX512: call float @llvm.ldexp.f32.i32(float {{.*}}) #[[LDEXP:[0-9]+]]
; AVX512: call double @llvm.ldexp.f64.i32(double {{.*}}) #[[LDEXP]]
; AVX512: attributes #[[LDEXP]] = {{.*}}"falx-vector-instruction"
; NEHALEM: call float @llvm.exp.f32(
; NEHALEM: call float @expf(
; NEHALEM: call double @llvm.exp.f64(
; NEHALEM: call float @log1pf(
; LANES: call <16 x float> @llvm.ldexp.v16f32.v16i32(
declare i64 @__falx_global_id_x()
declare float @llvm.exp.f32(float)
declare double @llvm.exp.f64(double)
declare float @expf(float) memory(none)
declare float @acoshf(float) memory(none)
declare double @erf(double) memory(none)

define void @kernel(ptr %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="16" {
entry:
  %id = call i64 @__falx_global_id_x()
  %data = load ptr, ptr %f
  %at = getelementptr float, ptr %data, i64 %id
  %x = load float, ptr %at
  %a = call float @llvm.exp.f32(float %x)
  %b = call afn float @llvm.exp.f32(float %a)
  %c = call float @expf(float %b)
  %wide = fpext float %c to double
  %e = call double @llvm.exp.f64(double %wide)
  %g = call double @erf(double %e)
  %h = fptrunc double %g to float
  %result = call float @acoshf(float %h)
  store float %result, ptr %at
  ret void
}
