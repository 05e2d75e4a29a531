; Device globals become addresses that come behind the function object, loaded where the kernel begins.
; RUN: falx-opt --passes=falx-device-globals -S %s | FileCheck %s
; RUN: not falx-opt --passes=falx-device-globals -S %S/../Inputs/device-global-in-constant.ll 2>&1 | FileCheck %s --check-prefix=CONSTANT
; RUN: not falx-opt --passes=falx-device-globals -S %S/../Inputs/device-global-in-function.ll 2>&1 | FileCheck %s --check-prefix=FUNCTION

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

@__falx_device_global.0 = external global i64, align 8
@__falx_device_global.1 = external global [4 x i32], align 4
; CHECK-NOT: @__falx_device_global

; The object has 12 bytes; the parameter has room for the addresses, and the alignment that they need.
; CHECK: define void @kernel(ptr align 8 dereferenceable(32) %f, i1 %c)
; CHECK-NEXT: entry:
; CHECK: [[AT:%.*]] = getelementptr inbounds i8, ptr %f, i64 24
; CHECK-NEXT: [[ARRAY:%.*]] = load ptr, ptr [[AT]], align 8, !nonnull !{{[0-9]+}}, !dereferenceable ![[SIZE:[0-9]+]], !align ![[ALIGN:[0-9]+]], !noundef
define void @kernel(ptr dereferenceable(12) align 4 %f, i1 %c) "falx-kind"="2" "falx-device-globals"="2" "falx-device-globals-offset"="16" {
entry:
; CHECK: [[ELEMENT:%.*]] = getelementptr i8, ptr [[ARRAY]], i64 8
; CHECK-NEXT: store i32 7, ptr [[ELEMENT]]
  store i32 7, ptr getelementptr (i8, ptr @__falx_device_global.1, i64 8)
  br i1 %c, label %then, label %end
then:
; CHECK: then:
; CHECK: [[OTHER:%.*]] = getelementptr i8, ptr [[ARRAY]], i64 4
  br label %end
end:
; CHECK: %p = phi ptr [ [[ARRAY]], %entry ], [ [[OTHER]], %then ]
  %p = phi ptr [ @__falx_device_global.1, %entry ], [ getelementptr (i8, ptr @__falx_device_global.1, i64 4), %then ]
  store i32 8, ptr %p
  ret void
}
; CHECK-DAG: ![[SIZE]] = !{i64 16}
; CHECK-DAG: ![[ALIGN]] = !{i64 4}

; CONSTANT: Kernel 'kernel' reads the address of a device global from a constant, but the address is known only when the kernel is launched.
; FUNCTION: Function 'recursive', called by kernel 'kernel', uses a device global but cannot be inlined
