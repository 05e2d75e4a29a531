; Behind a test that lets one lane through, its numbers are one for all lanes: the loop has scalars, no vectors.
; RUN: falx-opt --passes=falx-lower-builtins,falx-vectorize -S %s | FileCheck %s

declare i64 @__falx_local_id_x()
declare i64 @__falx_global_id_x()

; CHECK-LABEL: define internal void @kernel.work_item.lanes(
; CHECK: loop:
; CHECK-NOT: x float>
; CHECK: %x = load float, ptr %{{.*}}
; CHECK: fadd float
; CHECK-NOT: x float>
; CHECK: br i1 %{{.*}}, label %loop

; Where the number is 1, by a test for the opposite.
; CHECK: other:
; CHECK-NOT: x float>
; CHECK: %y = load float, ptr %{{.*}}
; CHECK: ret void
define void @kernel(ptr dereferenceable(16) %f) "falx-kind"="2" "falx-dimensions"="1" "falx-sub-group-size"="4" {
entry:
  %data = load ptr, ptr %f
  %n.at = getelementptr i8, ptr %f, i64 8
  %n = load i64, ptr %n.at
  %id = call i64 @__falx_local_id_x()
  %i = call i64 @__falx_global_id_x()
  %at = getelementptr float, ptr %data, i64 %i
  %is.first = icmp eq i64 %id, 0
  br i1 %is.first, label %loop, label %behind

loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %x.at = getelementptr float, ptr %at, i64 %k
  %x = load float, ptr %x.at
  %more = fadd float %sum, %x
  %next = add nuw nsw i64 %k, 1
  %goes.on = icmp ult i64 %next, %n
  br i1 %goes.on, label %loop, label %store

store:
  store float %more, ptr %at
  br label %behind

behind:
  %is.not.one = icmp ne i64 %id, 1
  %is.small = icmp ult i64 %i, 1000
  %either = or i1 %is.not.one, %is.small
  br i1 %either, label %end, label %other

other:
  %y = load float, ptr %at
  %z = fadd float %y, 1.0
  store float %z, ptr %at
  br label %end

end:
  ret void
}
