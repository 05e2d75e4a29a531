; What the last active lane has is some lane's even if there is none: LLVM takes it before anybody asks, and from memory.
; RUN: falx-opt --passes=falx-lower-builtins,falx-vectorize -S %s | FileCheck %s

declare i64 @__falx_global_id_x()

; CHECK-LABEL: define internal void @kernel.work_item.lanes(
; CHECK: %value = call <8 x i32> @llvm.masked.load
; CHECK: %[[ZEROS:.*]] = call i8 @llvm.ctlz.i8(
; CHECK: %[[LAST:.*]] = sub i32 7, %
; CHECK: %[[FROZEN:.*]] = freeze i32 %[[LAST]]
; CHECK: %[[LANE:.*]] = and i32 %[[FROZEN]], 7
; CHECK: %[[ELEMENT:.*]] = extractelement <8 x i32> %value, i32 %[[LANE]]
; CHECK: store i32 %[[ELEMENT]], ptr %data
define void @kernel(ptr %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="8" "falx-no-offset" {
  %id = call i64 @__falx_global_id_x()
  %data = load ptr, ptr %f, !invariant.load !0
  %at = getelementptr i32, ptr %data, i64 %id
  %value = load i32, ptr %at
  store i32 %value, ptr %data
  ret void
}

!0 = !{}
