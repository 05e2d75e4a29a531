; A loop that nothing leaves is no reason against vectors: most are never entered, as the one of a width that the
; compiler does not know to be positive. It gets a way to the end that no lane takes, until it is emitted.
; RUN: falx-opt --passes=falx-lower-builtins,falx-vectorize -S %s | FileCheck %s

declare i64 @__falx_global_id_x()

; CHECK-LABEL: define internal void @kernel.work_item.lanes(
; CHECK: %[[STUCK:.*]] = select <8 x i1> %active, <8 x i1> %stuck
; CHECK: br i1 %{{.*}}, label %stay.preheader, label %end
; CHECK: next.iteration:
; CHECK-NEXT: br label %stay
; CHECK: end:
; CHECK-NEXT: call void @llvm.masked.store.v8i32.p0(<8 x i32> splat (i32 1)
; CHECK: ret void
define void @kernel(ptr %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="8" {
entry:
  %id = call i64 @__falx_global_id_x()
  %data = load ptr, ptr %f
  %at = getelementptr i32, ptr %data, i64 %id
  %width = load i32, ptr %at
  %stuck = icmp eq i32 %width, 0
  br i1 %stuck, label %stay, label %end
stay:
  %n = phi i32 [ 0, %entry ], [ %n.next, %stay ]
  %n.next = add i32 %n, 1
  store volatile i32 %n, ptr %data
  br label %stay
end:
  store i32 1, ptr %at
  ret void
}
