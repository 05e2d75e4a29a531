; What lanes leave a loop with one by one has 32 bits where it is shown to fit; where nothing says so it has 64, and so it has
; where all lanes leave together.
; RUN: falx-opt --passes=falx-lower-builtins,falx-unroll-constant-loops,falx-narrow-exits -S %s | FileCheck %s
; RUN: falx-opt --passes=falx-lower-builtins,falx-unroll-constant-loops,falx-narrow-exits,falx-vectorize-range -S %s | FileCheck %s --check-prefix=LANES

declare i64 @__falx_global_id_x()

; CHECK-LABEL: define internal void @kernel.work_item(
; CHECK: %count = phi i64
; CHECK: %[[LOOP:.*]] = trunc i64 %count to i32
; CHECK: %[[BODY:.*]] = trunc i64 %count to i32
; CHECK: %[[LAST:.*]] = phi i32 [ %[[BODY]], %body ], [ %[[LOOP]], %loop ]
; CHECK: zext i32 %[[LAST]] to i64
; CHECK-NOT: trunc
; CHECK: phi i64 [ %again, %captured.body ], [ %again, %captured ]
; CHECK: phi i64 [ %fixed, %together ]
; LANES-LABEL: define internal void @kernel.work_item.lanes(
; LANES: phi <8 x i32>
; LANES: phi <8 x i64>
define void @kernel(ptr align 8 dereferenceable(16) %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="8" "falx-no-offset" {
entry:
  %id = call i64 @__falx_global_id_x()
  %data = load ptr, ptr %f, align 8, !invariant.load !0
  %bound.at = getelementptr i8, ptr %f, i64 8
  %bound = load i64, ptr %bound.at, align 8, !invariant.load !0
  %from = getelementptr float, ptr %data, i64 %id
  %start = load float, ptr %from
  br label %loop

loop:
  %count = phi i64 [ 0, %entry ], [ %next, %go.on ]
  %x = phi float [ %start, %entry ], [ %x.next, %go.on ]
  %is.below = icmp ult i64 %count, 200
  br i1 %is.below, label %body, label %end

body:
  %x.next = fmul float %x, %x
  %large = fcmp ogt float %x.next, 100.0
  br i1 %large, label %end, label %go.on

go.on:
  %next = add nuw nsw i64 %count, 1
  br label %loop

end:
  %last = phi i64 [ %count, %loop ], [ %count, %body ]
  br label %captured

captured:
  %again = phi i64 [ 0, %end ], [ %again.next, %captured.go.on ]
  %y = phi float [ %start, %end ], [ %y.next, %captured.go.on ]
  %again.below = icmp ult i64 %again, %bound
  br i1 %again.below, label %captured.body, label %captured.end

captured.body:
  %y.next = fmul float %y, 1.5
  %y.large = fcmp ogt float %y.next, 1000.0
  br i1 %y.large, label %captured.end, label %captured.go.on

captured.go.on:
  %again.next = add nuw i64 %again, 1
  br label %captured

captured.end:
  %captured.last = phi i64 [ %again, %captured ], [ %again, %captured.body ]
  br label %together

together:
  %fixed = phi i64 [ 0, %captured.end ], [ %fixed.next, %together ]
  store volatile i64 %fixed, ptr %f
  %fixed.next = add nuw nsw i64 %fixed, 1
  %stays = icmp ult i64 %fixed.next, 1000
  br i1 %stays, label %together, label %out

out:
  %fixed.last = phi i64 [ %fixed, %together ]
  %sum = add i64 %last, %captured.last
  %all = add i64 %sum, %fixed.last
  %to = getelementptr i64, ptr %data, i64 %id
  store i64 %all, ptr %to
  ret void
}

!0 = !{}
