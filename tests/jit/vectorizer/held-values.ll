; A sum in a loop that lanes leave one by one: those that have left do not add any more, so it is the result. What a branch
; depends on is not made to wait for masks: it has a variable. Without instructions under masks, all have.
; RUN: falx-opt --passes=falx-lower-builtins,falx-vectorize -S %s | FileCheck %s
; RUN: sed 's/"falx-masked-operations"//' %s | falx-opt --passes=falx-lower-builtins,falx-vectorize -S | FileCheck %s --check-prefix=VARIABLES

declare i64 @__falx_global_id_x()

; CHECK-LABEL: define internal void @kernel.work_item.lanes(
; CHECK: loop:
; CHECK: %sum = phi <4 x i32> [ zeroinitializer, %{{.*}} ], [ %[[SUM:.*]], %next.iteration ]
; CHECK: %i = phi <4 x i32> [ {{.*}} ], [ %[[I:.*]], %next.iteration ]
; CHECK: %loop.live = phi <4 x i1> [ %active, %{{.*}} ], [ %[[STAY:.*]], %next.iteration ]
; CHECK: %[[LEAVE:.*]] = select <4 x i1> %loop.live, <4 x i1> %done, <4 x i1> zeroinitializer
; CHECK: select <4 x i1> %[[LEAVE]], <4 x i32> %i, <4 x i32>
; CHECK: %[[STAY]] = select <4 x i1> %loop.live, <4 x i1> %{{.*}}, <4 x i1> zeroinitializer
; CHECK: next.iteration:
; CHECK: %[[SUM]] = select <4 x i1> %[[STAY]], <4 x i32> {{.*}}, <4 x i32> %sum
; CHECK: exit:
; CHECK: %result = add <4 x i32> %[[SUM]],

; VARIABLES-LABEL: define internal void @kernel.work_item.lanes(
; VARIABLES: %[[LEAVE:.*]] = select <4 x i1> %loop.live, <4 x i1> %done, <4 x i1> zeroinitializer
; VARIABLES-DAG: select <4 x i1> %[[LEAVE]], <4 x i32> %i, <4 x i32>
; VARIABLES-DAG: select <4 x i1> %[[LEAVE]], <4 x i32> %sum, <4 x i32>
define void @kernel(ptr %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="4" "falx-masked-operations" {
entry:
  %id = call i64 @__falx_global_id_x()
  %data = load ptr, ptr %f
  %at = getelementptr i32, ptr %data, i64 %id
  %start = load i32, ptr %at
  br label %loop
loop:
  %sum = phi i32 [ 0, %entry ], [ %sum.next, %body ]
  %i = phi i32 [ %start, %entry ], [ %i.next, %body ]
  %done = icmp sgt i32 %i, 100
  br i1 %done, label %exit, label %body
body:
  %square = mul i32 %i, %i
  %sum.next = add i32 %sum, %square
  %i.next = mul i32 %i, 3
  br label %loop
exit:
  %last.sum = phi i32 [ %sum, %loop ]
  %last = phi i32 [ %i, %loop ]
  %result = add i32 %last.sum, %last
  store i32 %result, ptr %at
  ret void
}
