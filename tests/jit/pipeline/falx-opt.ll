; falx-opt runs our passes and LLVM's in one pipeline, with LLVM's instrumentation.
; RUN: falx-opt --passes='falx-lower-builtins,falx-vectorize-range,falx-kernel-function,always-inline,globaldce,function(instcombine,falx-estimate-roots)' %s | FileCheck %s
; CHECK: define internal void @kernel(ptr noalias {{.*}}%launch
; CHECK-NOT: @kernel.work_item
; RUN: falx-opt --passes=falx-lower-builtins,falx-vectorize-range,falx-kernel-function -print-after-all %s 2>&1 | FileCheck %s --check-prefix=PRINT
; PRINT: IR Dump After falx::jit::lower_builtins on
; PRINT: define internal void @kernel.work_item(
; PRINT: IR Dump After falx::jit::simd::vectorize_range on
; PRINT: define internal void @kernel.work_item.lanes(
; PRINT: IR Dump After falx::jit::emit_kernel_function on
; RUN: falx-opt --passes=falx-lower-builtins,falx-vectorize-range -print-before=falx-vectorize-range %s 2>&1 | FileCheck %s --check-prefix=BEFORE --implicit-check-not='IR Dump'
; BEFORE: IR Dump Before falx::jit::simd::vectorize_range on
; RUN: falx-opt --passes=falx-lower-builtins,falx-vectorize-range -time-passes %s 2>&1 | FileCheck %s --check-prefix=TIME
; TIME: Pass execution timing report
; TIME-DAG: lower_builtins
; TIME-DAG: vectorize_range
; RUN: falx-opt --passes=falx-lower-builtins,falx-vectorize-range,falx-kernel-function -opt-disable=falx::jit::emit_kernel_function %s | FileCheck %s --check-prefix=DISABLED
; DISABLED-NOT: %launch
; DISABLED: define internal void @kernel.work_item.lanes(
; RUN: not falx-opt --passes=falx-no-such-pass %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN
; UNKNOWN: falx-opt: unknown pass name 'falx-no-such-pass'
; RUN: not falx-opt '--passes=falx-form-kernel<lanes=7>' %s 2>&1 | FileCheck %s --check-prefix=OPTION
; OPTION: 'lanes=7' is no option of falx-form-kernel

; The pipeline of the CPU as a whole: as vectors, or why not.
; RUN: falx-opt -mtriple=x86_64-linux-gnu -mcpu=haswell '--passes=falx-cpu<lanes=8>' %s | FileCheck %s --check-prefix=CPU
; CPU: define internal void @kernel(ptr {{.*}}%launch
; CPU: store <8 x float>
; CPU: "falx-sub-group-size"="8"
; RUN: sed -e 's/ "falx-sub-group-size"="8"//' -e 's/^  ret void/  %%own = alloca i8, i64 %%id\n  store volatile i8 0, ptr %%own\n  ret void/' %s | falx-opt '--passes=falx-form-kernel<lanes=8>' 2>&1 | FileCheck %s --check-prefix=REMARK
; REMARK: remark: {{.*}}kernel 'kernel' is not run as vectors: it
; REMARK-NOT: x float>
; REMARK: define internal void @kernel.work_item(
; RUN: sed -e 's/ "falx-sub-group-size"="8"//' -e 's/^  ret void/  %%own = alloca i8, i64 %%id\n  store volatile i8 0, ptr %%own\n  ret void/' %s | not falx-opt '--passes=falx-form-kernel<lanes=8;required>' 2>&1 | FileCheck %s --check-prefix=REQUIRED
; REQUIRED: error: Kernel 'kernel' demands sub-groups of 8 work-items, but cannot be run as vectors: it
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

declare i64 @__falx_global_id_x()

define void @kernel(ptr %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="8" {
  %data = load ptr, ptr %f
  %id = call i64 @__falx_global_id_x()
  %at = getelementptr float, ptr %data, i64 %id
  store float 1.0, ptr %at
  ret void
}
