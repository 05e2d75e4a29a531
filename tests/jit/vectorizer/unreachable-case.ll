; A default case that leads to unreachable is no way out of the loop: the loop keeps its one exit.
; RUN: falx-opt --passes=falx-lower-builtins,falx-vectorize -S %s | FileCheck %s

declare i64 @__falx_global_id_x()

; CHECK-LABEL: define internal void @kernel.work_item.lanes(
; CHECK-NOT: loop.exit.guard
; CHECK: ret void
define void @kernel(ptr %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="4" {
entry:
  %id = call i64 @__falx_global_id_x()
  %data = load ptr, ptr %f
  %at = getelementptr i32, ptr %data, i64 %id
  %start = load i32, ptr %at
  br label %loop

loop:
  %x = phi i32 [ %start, %entry ], [ %less, %small ], [ %half, %large ]
  %kind = and i32 %x, 1
  switch i32 %kind, label %neither [
    i32 0, label %small
    i32 1, label %large
  ]

neither:
  unreachable

small:
  %less = sub i32 %x, 1
  br label %loop

large:
  %half = lshr i32 %x, 1
  %done = icmp eq i32 %half, 0
  br i1 %done, label %end, label %loop

end:
  store i32 %half, ptr %at
  ret void
}
