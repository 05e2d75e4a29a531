; An array that is used on both sides of a barrier gets storage per work-item; one that is not stays on the stack,
; and so does one in a loop whose lifetime ends before the barrier.
; RUN: falx-opt --passes=falx-lower-builtins,falx-split-barriers -S %s | FileCheck %s

declare i64 @__falx_local_id_x()
declare void @__falx_work_group_barrier()

; CHECK-LABEL: define internal { i32 } @kernel.region.0(
; CHECK-NOT: %shared = alloca
; CHECK-DAG: %before = alloca [4 x i32]
; CHECK-DAG: %in_loop = alloca [4 x i32]
; CHECK: %slot = getelementptr inbounds [16 x i8]
; CHECK: ret { i32 } { i32 1 }
; CHECK-LABEL: define internal { i32 } @kernel.region.1(
; CHECK-NOT: %shared = alloca
; CHECK: %in_loop = alloca [4 x i32]
; CHECK: %[[T:.*]] = getelementptr i32, ptr %slot{{.*}}, i64 2
; CHECK: load i32, ptr %[[T]]
; CHECK: attributes {{.*}}"falx-context"="16"
define void @kernel(ptr %f) "falx-kind"="2" "falx-dimensions"="1" {
entry:
  %shared = alloca [4 x i32]
  %before = alloca [4 x i32]
  %in_loop = alloca [4 x i32]
  %id = call i64 @__falx_local_id_x()
  %b = getelementptr i32, ptr %before, i64 %id
  store i32 1, ptr %b
  %loaded = load i32, ptr %before
  %s = getelementptr i32, ptr %shared, i64 %id
  store i32 %loaded, ptr %s
  br label %loop
loop:
  call void @llvm.lifetime.start.p0(ptr %in_loop)
  %l = getelementptr i32, ptr %in_loop, i64 %id
  store i32 5, ptr %l
  %m = load i32, ptr %in_loop
  store i32 %m, ptr %f
  call void @llvm.lifetime.end.p0(ptr %in_loop)
  call void @__falx_work_group_barrier()
  %t = getelementptr i32, ptr %shared, i64 2
  %u = load i32, ptr %t
  store i32 %u, ptr %f
  %w = load i32, ptr %f
  %again = icmp eq i32 %w, 3
  br i1 %again, label %loop, label %end
end:
  ret void
}
