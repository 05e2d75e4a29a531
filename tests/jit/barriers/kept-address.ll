; The address of a variable's element that has been taken out of a loop is kept across the barrier in it, so the variable, whose
; lifetime begins anew in each iteration, lies in memory that all regions share: not in one of each region's own.
; RUN: falx-opt --passes='falx-lower-builtins,falx-split-barriers' -S %s | FileCheck %s
; RUN: sed 's/%element = getelementptr i8, ptr %variable, i64 %index/%element = getelementptr i8, ptr %variable, i64 3/' %s | falx-opt --passes='falx-lower-builtins,falx-split-barriers' -S | FileCheck %s --check-prefix=CONSTANT
; CHECK-LABEL: define internal {{.*}} @kernel.region.1(
; CHECK-NOT: alloca [8 x i8]
; CHECK: ret
; CONSTANT-LABEL: define internal {{.*}} @kernel.region.1(
; CONSTANT: alloca [8 x i8]
; CONSTANT: ret

declare i64 @__falx_local_id_x()
declare void @__falx_work_group_barrier() convergent
declare void @llvm.lifetime.start.p0(ptr)
declare void @llvm.lifetime.end.p0(ptr)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

define void @kernel(ptr %f) "falx-kind"="2" "falx-dimensions"="1" {
entry:
  %variable = alloca [8 x i8]
  %id = call i64 @__falx_local_id_x()
  %data = load ptr, ptr %f
  %index.at = getelementptr i64, ptr %data, i64 %id
  %index = load i64, ptr %index.at
  %element = getelementptr i8, ptr %variable, i64 %index
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i8 [ 0, %entry ], [ %more, %loop ]
  call void @__falx_work_group_barrier()
  call void @llvm.lifetime.start.p0(ptr %variable)
  call void @llvm.memset.p0.i64(ptr %variable, i8 0, i64 8, i1 false)
  store i8 7, ptr %element
  %other = getelementptr i8, ptr %variable, i64 5
  %x = load i8, ptr %other
  %more = add i8 %sum, %x
  call void @llvm.lifetime.end.p0(ptr %variable)
  %next = add i32 %k, 1
  %goes.on = icmp ult i32 %next, 3
  br i1 %goes.on, label %loop, label %end
end:
  %to = getelementptr i8, ptr %data, i64 %id
  store i8 %more, ptr %to
  ret void
}
