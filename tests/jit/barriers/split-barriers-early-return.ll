; Work-items that return on a condition of their own while others go on get a flag; a uniform return needs none.
; RUN: split-file %s %t
; RUN: falx-opt --passes=falx-lower-builtins,falx-split-barriers -S %t/varying.ll | FileCheck %s --check-prefix=VARYING
; RUN: falx-opt --passes=falx-lower-builtins,falx-split-barriers -S %t/uniform.ll | FileCheck %s --check-prefix=UNIFORM
; RUN: sed 's/"falx-kind"="2"/"falx-kind"="2" "falx-sub-group-size"="4" "falx-local-range"="32,1,1"/' %t/varying.ll > %t/vectors.ll
; RUN: falx-opt --passes=falx-lower-builtins,falx-split-barriers -S %t/vectors.ll | FileCheck %s --check-prefix=VECTORS

; VARYING-LABEL: define internal void @kernel.group(
; VARYING: region.0:
; VARYING: %running = getelementptr
; VARYING: %[[RESULT:.*]] = call { i32 } @kernel.region.0(
; VARYING: %[[NEXT:.*]] = extractvalue { i32 } %[[RESULT]], 0
; VARYING: %[[GOES_ON:.*]] = icmp ne i32 %[[NEXT]], 2
; VARYING: %[[FLAG:.*]] = zext i1 %[[GOES_ON]] to i8
; VARYING: store i8 %[[FLAG]], ptr %running
; VARYING: load i8, ptr %running
; VARYING: br i1 {{.*}}, label %runs{{[0-9]*}}, label %after
; VARYING: attributes {{.*}}"falx-context"="1"

; Behind the barrier a small region is there for vectors with all work-items, too. In the first region all are there.
; VECTORS-LABEL: define internal void @kernel.group(
; VECTORS: call { i32, i4 } @kernel.region.0.lanes({{.*}}, <4 x i1> splat (i1 true))
; VECTORS: %[[RUNNING:.*]] = and <4 x i1> splat (i1 true), %{{.*}}
; VECTORS: %[[BITS:.*]] = bitcast <4 x i1> %[[RUNNING]] to i4
; VECTORS: %[[ALL:.*]] = icmp eq i4 %{{.*}}, -1
; VECTORS: br i1 %[[ALL]], label %all, label %some
; VECTORS: all:
; VECTORS: call { i32, i4 } @kernel.region.1.lanes({{.*}}, <4 x i1> splat (i1 true))
; VECTORS: some:
; VECTORS: call { i32, i4 } @kernel.region.1.lanes({{.*}}, <4 x i1> %[[RUNNING]])

; UNIFORM-LABEL: define internal void @kernel.group(
; UNIFORM-NOT: running
; UNIFORM: br i1 %{{.*}}, label %region.1, label %done
; UNIFORM-NOT: running

;--- varying.ll
declare i64 @__falx_local_id_x()
declare void @__falx_work_group_barrier()
define void @kernel(ptr %f) "falx-kind"="2" "falx-dimensions"="1" {
  %id = call i64 @__falx_local_id_x()
  %gone = icmp ugt i64 %id, 3
  br i1 %gone, label %end, label %stays
stays:
  call void @__falx_work_group_barrier()
  store i32 1, ptr %f
  br label %end
end:
  ret void
}
;--- uniform.ll
declare i64 @__falx_group_id_x()
declare void @__falx_work_group_barrier()
define void @kernel(ptr %f) "falx-kind"="2" "falx-dimensions"="1" {
  %id = call i64 @__falx_group_id_x()
  %gone = icmp ugt i64 %id, 3
  br i1 %gone, label %end, label %stays
stays:
  call void @__falx_work_group_barrier()
  store i32 1, ptr %f
  br label %end
end:
  ret void
}
