; A loop that lanes leave in different iterations runs while one of them is in it; what they leave with is kept by
; lane. The counter is the same for all that are inside: a scalar.
; RUN: falx-opt --passes=falx-lower-builtins,falx-vectorize -S %s | FileCheck %s

declare i64 @__falx_global_id_x()

; CHECK-LABEL: define internal void @kernel.work_item.lanes(
; CHECK: loop:
; CHECK-DAG: %n = phi i32 [ 0, %{{.*}} ], [ %n.next{{.*}}, %{{.*}} ]
; CHECK-DAG: %x = phi <8 x float> [
; CHECK-DAG: %[[LIVE:loop.live.*]] = phi <8 x i1> [ %active, %{{.*}} ], [ %[[STAY:.*]], %{{.*}} ]
; CHECK: %done = fcmp ogt <8 x float>
; CHECK: %[[GO:.*]] = select <8 x i1> %[[LIVE]], <8 x i1> %done, <8 x i1> zeroinitializer
; CHECK: select <8 x i1> %[[GO]]
; CHECK: bitcast <8 x i1> %[[STAY]] to i8
; CHECK: br i1 %{{.*}}, label %loop, label %end
; CHECK: end:
; CHECK: call void @llvm.masked.store.v8i32.p0(<8 x i32> {{.*}}, <8 x i1> %active)
define void @kernel(ptr %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="8" {
entry:
  %id = call i64 @__falx_global_id_x()
  %data = load ptr, ptr %f
  %at = getelementptr i32, ptr %data, i64 %id
  %start = load i32, ptr %at
  %x.start = sitofp i32 %start to float
  br label %loop
loop:
  %n = phi i32 [ 0, %entry ], [ %n.next, %loop ]
  %x = phi float [ %x.start, %entry ], [ %x.next, %loop ]
  %x.next = fmul float %x, %x
  %n.next = add i32 %n, 1
  %done = fcmp ogt float %x.next, 100.0
  br i1 %done, label %end, label %loop
end:
  %count = phi i32 [ %n.next, %loop ]
  store i32 %count, ptr %at
  ret void
}
