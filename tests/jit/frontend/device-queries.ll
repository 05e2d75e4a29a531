; What kernels ask of their device are constants, before anything is inlined.
; RUN: falx-opt --passes=falx-device-queries -S %s | FileCheck %s
; RUN: sed 's/"falx-aspects"="65"//' %s | not falx-opt --passes=falx-device-queries -S - 2>&1 | FileCheck %s --check-prefix=UNKNOWN
; UNKNOWN: Kernel {{.*}} asks which aspects the device has (if_device_has)

declare i32 @__falx_device_architecture()
declare i1 @__falx_device_has(i32)
declare void @use(i32)
declare void @use_answer(i1)

; CHECK-LABEL: define void @kernel(
; CHECK: call void @use(i32 65536)
; CHECK: call void @use_answer(i1 true)
; CHECK: call void @use_answer(i1 false)
define void @kernel(ptr %f) "falx-kind"="1" "falx-dimensions"="1" "falx-architecture"="65536" "falx-aspects"="65" {
  %kind = call i32 @__falx_device_architecture()
  call void @use(i32 %kind)
  %sixth = call i1 @__falx_device_has(i32 6)
  call void @use_answer(i1 %sixth)
  %first = call i1 @__falx_device_has(i32 1)
  call void @use_answer(i1 %first)
  ret void
}

; CHECK-LABEL: define i1 @any(
; CHECK-NEXT: [[WIDE:%.*]] = zext i32 %aspect to i64
; CHECK-NEXT: [[BITS:%.*]] = lshr i64 65, [[WIDE]]
; CHECK-NEXT: [[BIT:%.*]] = trunc i64 [[BITS]] to i1
; CHECK-NEXT: ret i1 [[BIT]]
define i1 @any(i32 %aspect) {
  %has = call i1 @__falx_device_has(i32 %aspect)
  ret i1 %has
}
