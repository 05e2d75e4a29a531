; What is cheap to compute from values that are the group's is computed again behind a barrier, and these are kept: the test
; against %n, which is loaded, is one against the lane's number there. What work-items have loaded waits in the context.
; RUN: falx-opt --passes=falx-lower-builtins,falx-split-barriers -S %s | FileCheck %s

declare i64 @__falx_local_id_x()
declare void @__falx_work_group_barrier()

; CHECK-LABEL: define internal { i32, i64 } @kernel.region.0.lanes(
; CHECK: %[[N:.*]] = load i64, ptr %{{.*}}
; CHECK: insertvalue { i32, i64 } {{.*}}, i64 %[[N]], 1
; CHECK-LABEL: define internal { i32, i64 } @kernel.region.1.lanes(
; CHECK: insertelement <4 x i64> poison, i64 %0, i64 0
; CHECK: icmp ult <4 x i64>
; CHECK: call void @llvm.masked.store{{.*}}
; Only %loaded.
; CHECK: attributes {{.*}}"falx-context"="4"
define void @kernel(ptr %f) "falx-kind"="2" "falx-dimensions"="1" "falx-sub-group-size"="4" "falx-local-range"="32,1,1" {
  %id = call i64 @__falx_local_id_x()
  %data = load ptr, ptr %f
  %n = load i64, ptr %data
  %last = sub i64 %n, %id
  %inside = icmp ult i64 %id, %n
  %from = getelementptr i32, ptr %data, i64 %id
  %loaded = load i32, ptr %from
  call void @__falx_work_group_barrier()
  br i1 %inside, label %then, label %end
then:
  %to = getelementptr i32, ptr %data, i64 %last
  store i32 %loaded, ptr %to
  br label %end
end:
  ret void
}
