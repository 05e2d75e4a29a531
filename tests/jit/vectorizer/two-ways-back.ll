; A loop with two ways back, of which one keeps a value, becomes two, and the inner one would leave both at once.
; RUN: falx-opt --passes=falx-lower-builtins,falx-vectorize -S %s | FileCheck %s

declare i64 @__falx_global_id_x()

; CHECK-LABEL: define internal void @kernel.work_item.lanes(
; CHECK: phi <4 x i1>
; CHECK: phi <4 x i1>
; CHECK: call void @llvm.masked.store.v4i32
define void @kernel(ptr %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="4" "falx-no-offset" {
entry:
  %id = call i64 @__falx_global_id_x()
  %data = load ptr, ptr %f, !invariant.load !0
  %at = getelementptr i32, ptr %data, i64 %id
  %count = load i32, ptr %at
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %one.on, %odd ], [ %two.on, %even ]
  %sum = phi i32 [ 0, %entry ], [ %sum, %odd ], [ %more, %even ]
  %goes.on = icmp slt i32 %i, %count
  br i1 %goes.on, label %body, label %exit
body:
  %bit = and i32 %i, 1
  %is.odd = icmp ne i32 %bit, 0
  br i1 %is.odd, label %odd, label %even
odd:
  %one.on = add i32 %i, 1
  br label %loop
even:
  %product = mul i32 %i, %count
  %two.on = add i32 %product, 3
  %more = add i32 %sum, %i
  br label %loop
exit:
  store i32 %sum, ptr %at
  ret void
}

!0 = !{}
