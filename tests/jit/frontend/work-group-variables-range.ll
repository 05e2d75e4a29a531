; Kernels without work-groups have no such memory.
; RUN: not falx-opt --passes=falx-work-group-variables %s 2>&1 | FileCheck %s

; CHECK: Kernel 'kernel' uses a variable of class work_group_static, but has no work-groups. Launch it with parallel_for over an nd_range.
@one = internal externally_initialized global i32 0, align 4 #0

define void @kernel(ptr dereferenceable(8) %f) "falx-kind"="1" "falx-dimensions"="1" {
  store i32 7, ptr @one, align 4
  ret void
}

attributes #0 = { "falx-work-group-variable" }
