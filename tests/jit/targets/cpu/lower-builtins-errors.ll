; RUN: split-file %s %t
; RUN: not falx-opt --passes=falx-lower-builtins %t/unknown.ll 2>&1 | FileCheck %s --check-prefix=UNKNOWN
; RUN: not falx-opt --passes=falx-lower-builtins %t/scratch.ll 2>&1 | FileCheck %s --check-prefix=SCRATCH
; RUN: not falx-opt --passes=falx-lower-builtins %t/address.ll 2>&1 | FileCheck %s --check-prefix=ADDRESS
; RUN: not falx-opt --passes=falx-lower-builtins,falx-split-barriers %t/private.ll 2>&1 | FileCheck %s --check-prefix=PRIVATE
; UNKNOWN: Kernel 'kernel' calls the unknown builtin __falx_warp_drive
; SCRATCH: Kernel 'kernel' calls __falx_group_scratch with a size that is not a constant
; ADDRESS: Kernel 'kernel' cannot be compiled: its own code calls it or refers to its address.
; PRIVATE: Kernel 'kernel' takes private memory by alloca() with a size that is not a constant, {{.*}} give it an array of constant size.

;--- unknown.ll
declare void @__falx_warp_drive()
define void @kernel(ptr %f) "falx-kind"="2" {
  call void @__falx_warp_drive()
  ret void
}
;--- scratch.ll
declare ptr @__falx_group_scratch(i64)
define void @kernel(ptr %f) "falx-kind"="2" {
  %size = load i64, ptr %f
  %scratch = call ptr @__falx_group_scratch(i64 %size)
  store i32 0, ptr %scratch
  ret void
}
;--- address.ll
@kernels = constant [1 x ptr] [ptr @kernel]
define void @kernel(ptr %f) "falx-kind"="2" {
  ret void
}
;--- private.ll
define void @kernel(ptr %f) "falx-kind"="2" "falx-name"="kernel" {
  %size = load i64, ptr %f
  %memory = alloca i8, i64 %size
  store volatile i8 0, ptr %memory
  ret void
}
