; Everything ends up in the kernel; private variables become values; the barrier stays where it was.
; RUN: falx-opt --passes=falx-prepare,falx-simplify -S %s | FileCheck %s

declare i64 @__falx_global_id_x() nounwind memory(none)
declare void @__falx_work_group_barrier()

; CHECK-NOT: define {{.*}}@body
; CHECK-LABEL: define void @kernel(
; CHECK-NOT: alloca
; CHECK: %[[ID:.*]] = {{.*}}call i64 @__falx_global_id_x()
; CHECK: call void @__falx_work_group_barrier()
; CHECK: store i32 7
define void @kernel(ptr %f) "falx-kind"="2" {
  %item = alloca i64
  %id = call i64 @__falx_global_id_x()
  store i64 %id, ptr %item
  call void @body(ptr %f, ptr %item)
  ret void
}
define internal void @body(ptr %f, ptr %item) noinline optnone {
  %id = load i64, ptr %item
  %base = load ptr, ptr %f
  %place = getelementptr i32, ptr %base, i64 %id
  call void @__falx_work_group_barrier()
  store i32 7, ptr %place
  ret void
}
