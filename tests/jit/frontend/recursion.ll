; A recursive function that asks for its work-item cannot become part of a loop over work-items.
; RUN: not falx-opt --passes=falx-prepare,falx-simplify -S %s 2>&1 | FileCheck %s
; CHECK: Function 'deep', called by kernel 'kernel', uses __falx_local_id_x but cannot be inlined: it is recursive

declare i64 @__falx_local_id_x()
define void @kernel(ptr %f) "falx-kind"="2" {
  %p = load ptr, ptr %f
  call void @deep(ptr %p, i64 5)
  ret void
}
define internal void @deep(ptr %f, i64 %n) {
  %id = call i64 @__falx_local_id_x()
  %at = getelementptr i64, ptr %f, i64 %id
  store i64 %n, ptr %at
  %end = icmp eq i64 %n, 0
  br i1 %end, label %done, label %more
more:
  %less = sub i64 %n, 1
  call void @deep(ptr %f, i64 %less)
  br label %done
done:
  ret void
}
