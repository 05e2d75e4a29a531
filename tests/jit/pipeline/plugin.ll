; The passes in LLVM's own opt.
; DEFINE: %{opt} = opt -load-pass-plugin=%build/lib/libfalx-passes.so
; RUN: %{opt} -S -passes=falx-lower-builtins,falx-vectorize-range,falx-kernel-function,always-inline,globaldce -verify-each %s | FileCheck %s
; CHECK: define internal void @kernel(ptr noalias {{.*}}%launch
; CHECK-NOT: call i64 @__falx
; RUN: %{opt} -disable-output -passes=falx-lower-builtins,falx-vectorize -print-after-all %s 2>&1 | FileCheck %s --check-prefix=PRINT
; PRINT: IR Dump After falx::jit::lower_builtins on
; PRINT: IR Dump After falx::jit::simd::vectorize_kernel on
; PRINT: define internal void @kernel.work_item.lanes(
; RUN: %{opt} -disable-output -passes=falx-lower-builtins,falx-vectorize -time-passes %s 2>&1 | FileCheck %s --check-prefix=TIME
; TIME: Pass execution timing report
; TIME-DAG: lower_builtins
; TIME-DAG: vectorize_kernel
; RUN: not %{opt} -disable-output -passes=falx-device-globals,falx-lower-builtins %S/../Inputs/device-global-in-constant.ll 2>&1 | FileCheck %s --check-prefix=ERROR
; ERROR: error: {{.*}}device global
declare i64 @__falx_global_id_x()

define void @kernel(ptr %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="8" {
  %data = load ptr, ptr %f
  %id = call i64 @__falx_global_id_x()
  %at = getelementptr float, ptr %data, i64 %id
  store float 1.0, ptr %at
  ret void
}
