; Lanes that part may meet where the branch leads at once: at "both" arrive those that %low sends there, and all others if
; %flag is set. So %which differs between lanes, though each of its values is the same for all.
; RUN: falx-opt --passes=falx-lower-builtins,falx-vectorize -S %s | FileCheck %s

declare i64 @__falx_global_id_x()

; CHECK-LABEL: define internal void @kernel.work_item.lanes(

; CHECK: %which{{.*}} = phi <4 x i32> [
define void @kernel(ptr %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="4" {
entry:
  %id = call i64 @__falx_global_id_x()
  %data = load ptr, ptr %f
  %at = getelementptr i32, ptr %data, i64 %id
  %flag.at = getelementptr i8, ptr %f, i64 8
  %flag = load i1, ptr %flag.at
  %low = icmp ult i64 %id, 10
  br i1 %low, label %both, label %high

high:
  br i1 %flag, label %both, label %other

both:
  %which = phi i32 [ 1, %entry ], [ 2, %high ]
  store i32 %which, ptr %at
  br label %end

other:
  store i32 3, ptr %at
  br label %end

end:
  ret void
}
