; A loop that lanes leave one by one, and all that are left at once by a branch on what they agree on. Behind that branch
; no lane goes on: the latch must see an empty mask, although the mask of the block before would dominate it.
; RUN: falx-opt --passes=falx-lower-builtins,falx-vectorize -S %s | FileCheck %s

declare i64 @__falx_global_id_x()

; CHECK-LABEL: define internal void @kernel.work_item.lanes(
; CHECK: body:
; CHECK: br i1 %{{.*}}, label %[[LEAVE:body.way.*]], label %{{.*}}
; CHECK: next.iteration:
; CHECK: %[[LIVE:latch.mask.*]] = phi <4 x i1> [ zeroinitializer, %[[LEAVE]] ], [ %{{.*}}, %latch ]
; CHECK: %[[BITS:.*]] = bitcast <4 x i1> %[[LIVE]] to i4
; CHECK: %[[ANY:.*]] = icmp ne i4 %[[BITS]], 0
; CHECK: br i1 %[[ANY]], label %loop, label %end
define void @kernel(ptr %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="4" {
entry:
  %id = call i64 @__falx_global_id_x()
  %flag = load i32, ptr %f
  %data.field = getelementptr i8, ptr %f, i64 8
  %data = load ptr, ptr %data.field
  %at = getelementptr i32, ptr %data, i64 %id
  %n = load i32, ptr %at
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %x = phi i32 [ 7, %entry ], [ %y, %latch ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %end
body:
  %y = mul i32 %x, 3
  %stop = icmp eq i32 %flag, %i
  br i1 %stop, label %end, label %latch
latch:
  %next = add i32 %i, 1
  br label %loop
end:
  %r = phi i32 [ %x, %loop ], [ %y, %body ]
  store i32 %r, ptr %at
  ret void
}
