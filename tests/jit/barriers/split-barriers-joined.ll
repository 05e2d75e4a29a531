; Steps at distances within a vector go together, without a barrier: vectors of two lanes meet nobody at the distances 2
; and 1, as each has four elements.
; RUN: split-file %s %t
; RUN: falx-opt --passes=falx-lower-builtins,falx-split-barriers -S %t/sort.ll | FileCheck %s
; RUN: falx-opt --passes=falx-lower-builtins,falx-split-barriers -S %t/grow.ll | FileCheck %s --check-prefix=GROW
; RUN: falx-opt --passes=falx-lower-builtins,falx-split-barriers -S %t/far.ll | FileCheck %s --check-prefix=NOT
; RUN: falx-opt --passes=falx-lower-builtins,falx-split-barriers -S %t/count.ll | FileCheck %s --check-prefix=NOT
; RUN: falx-opt --passes=falx-lower-builtins,falx-split-barriers -S %t/same.ll | FileCheck %s --check-prefix=NOT
; RUN: falx-opt --passes=falx-lower-builtins,falx-split-barriers -S %t/rest.ll | FileCheck %s --check-prefix=NOT
; RUN: falx-opt --passes=falx-lower-builtins,falx-split-barriers -S %t/stop.ll | FileCheck %s --check-prefix=NOT
; NOT: @kernel.region.1.version(
; NOT-NOT: joined

;--- sort.ll
; Behind the distance 2 come the same size and the distance 1.
; CHECK-LABEL: define internal { i32{{.*}} } @kernel.region.1.joined.results(
; CHECK-SAME: i32 %[[SIZE:[0-9]+]], i32 %{{[0-9]+}})
; CHECK: insertvalue { i32, i32, i32 } {{.*}}, i32 %[[SIZE]], 1
; CHECK: insertvalue { i32, i32, i32 } %{{.*}}, i32 1, 2
; The size tells lanes apart, unless it is a multiple of 4.
; CHECK-LABEL: define internal i32 @kernel.region.1.version(
; CHECK-SAME: i32 %[[SIZE:[0-9]+]], i32 %[[DISTANCE:[0-9]+]])
; CHECK: %[[IS_TWO:.*]] = icmp eq i32 %[[DISTANCE]], 2
; CHECK: %[[REST:.*]] = and i32 %[[SIZE]], 3
; CHECK: %[[IS_MULTIPLE:.*]] = icmp eq i32 %[[REST]], 0
; CHECK: %[[BOTH:.*]] = and i1 %[[IS_TWO]], %[[IS_MULTIPLE]]
; CHECK: select i1 %[[BOTH]], i32 2, i32
; CHECK-NOT: @kernel.region.1.lanes
; CHECK-LABEL: define internal { i32{{.*}} } @kernel.region.1.joined.lanes(
; CHECK: %multiple = and i32 %{{.*}}, -4
; Distance 2: contiguous. Which way lanes go is the same for all.
; CHECK-COUNT-2: call <2 x i32> @llvm.masked.load
; CHECK: select i1
; CHECK-COUNT-2: call void @llvm.masked.store
; Distance 1: neighbours.
; CHECK: call <2 x i32> @llvm.masked.load
; CHECK: shufflevector
; CHECK: select i1
; CHECK: call void @llvm.masked.store
; CHECK-NOT: gather
; CHECK: ret
; What the group knows behind two steps.
; CHECK-LABEL: define internal void @kernel.group(
; The group comes by the distance 1, by multiples of 2 where the size is one, and by both steps; never by anything else.
; CHECK: switch i32 %version, label %version.2 [
; CHECK-NEXT: i32 0, label %version.0
; CHECK-NEXT: i32 1, label %version.1
; CHECK-NEXT: ]
; CHECK: call {{.*}} @kernel.region.1.joined.lanes(
; CHECK: call {{.*}} @kernel.region.1.joined.results(
; CHECK: call {{.*}} @kernel.region.1.results(
declare i64 @__falx_local_id_x()
declare void @__falx_work_group_barrier()
define void @kernel(ptr %f) "falx-kind"="2" "falx-dimensions"="1" "falx-sub-group-size"="2" "falx-local-range"="16,1,1" {
entry:
  %data = load ptr, ptr %f
  %id.wide = call i64 @__falx_local_id_x()
  %id = trunc nuw nsw i64 %id.wide to i32
  br label %sizes
sizes:
  %size = phi i32 [ 2, %entry ], [ %size.next, %next.size ]
  %half = lshr i32 %size, 1
  br label %distances
distances:
  %distance = phi i32 [ %half, %sizes ], [ %distance.next, %distances ]
  call void @__falx_work_group_barrier()
  %others = sub i32 0, %distance
  %high = and i32 %id, %others
  %low = add nuw nsw i32 %id, %high
  %bit = and i32 %low, %size
  %goes.up = icmp eq i32 %bit, 0
  %low.wide = zext nneg i32 %low to i64
  %low.at = getelementptr i32, ptr %data, i64 %low.wide
  %a = load i32, ptr %low.at
  %distance.wide = zext i32 %distance to i64
  %high.at = getelementptr i32, ptr %low.at, i64 %distance.wide
  %b = load i32, ptr %high.at
  %least = call i32 @llvm.umin.i32(i32 %a, i32 %b)
  %most = call i32 @llvm.umax.i32(i32 %a, i32 %b)
  %first = select i1 %goes.up, i32 %least, i32 %most
  %second = select i1 %goes.up, i32 %most, i32 %least
  store i32 %first, ptr %low.at
  store i32 %second, ptr %high.at
  %distance.next = lshr i32 %distance, 1
  %last.distance = icmp ult i32 %distance, 2
  br i1 %last.distance, label %next.size, label %distances
next.size:
  %size.next = shl i32 %size, 1
  %last.size = icmp ugt i32 %size, 16
  br i1 %last.size, label %end, label %sizes
end:
  ret void
}

;--- grow.ll
; Distances that grow, factors from memory that nobody writes, as only local memory is written.
; GROW-LABEL: define internal i32 @kernel.region.1.version(
; GROW: icmp eq i64 %{{.*}}, 1
; GROW: icmp eq i64 %{{.*}}, 1
; GROW: select i1 %{{.*}}, i32 2
; GROW-LABEL: define internal { i32{{.*}} } @kernel.region.1.joined.lanes(
declare i64 @__falx_local_id_x()
declare ptr @__falx_local_memory()
declare void @__falx_work_group_barrier()
define void @kernel(ptr %f) "falx-kind"="2" "falx-dimensions"="1" "falx-sub-group-size"="2" "falx-local-range"="16,1,1" {
entry:
  %table = load ptr, ptr %f
  %data = call ptr @__falx_local_memory()
  %id = call i64 @__falx_local_id_x()
  br label %distances
distances:
  %distance = phi i64 [ 1, %entry ], [ %distance.next, %distances ]
  call void @__falx_work_group_barrier()
  %others = sub i64 0, %distance
  %high = and i64 %id, %others
  %low = add i64 %id, %high
  %low.at = getelementptr i32, ptr %data, i64 %low
  %a = load i32, ptr %low.at
  %high.at = getelementptr i32, ptr %low.at, i64 %distance
  %b = load i32, ptr %high.at
  %factor.at = getelementptr i32, ptr %table, i64 %distance
  %factor = load i32, ptr %factor.at
  %product = mul i32 %b, %factor
  %sum = add i32 %a, %product
  %difference = sub i32 %a, %product
  store i32 %sum, ptr %low.at
  store i32 %difference, ptr %high.at
  %distance.next = shl i64 %distance, 1
  %again = icmp ult i64 %distance.next, 16
  br i1 %again, label %distances, label %end
end:
  ret void
}

;--- far.ll
; Elements of another vector are read, too.
declare i64 @__falx_local_id_x()
declare void @__falx_work_group_barrier()
define void @kernel(ptr %f) "falx-kind"="2" "falx-dimensions"="1" "falx-sub-group-size"="2" "falx-local-range"="16,1,1" {
entry:
  %data = load ptr, ptr %f
  %id = call i64 @__falx_local_id_x()
  br label %distances
distances:
  %distance = phi i64 [ 8, %entry ], [ %distance.next, %distances ]
  call void @__falx_work_group_barrier()
  %others = sub i64 0, %distance
  %high = and i64 %id, %others
  %low = add i64 %id, %high
  %low.at = getelementptr i32, ptr %data, i64 %low
  %a = load i32, ptr %low.at
  %next.at = getelementptr i32, ptr %low.at, i64 4
  %b = load i32, ptr %next.at
  %sum = add i32 %a, %b
  store i32 %sum, ptr %low.at
  %distance.next = lshr i64 %distance, 1
  %done = icmp eq i64 %distance.next, 0
  br i1 %done, label %end, label %distances
end:
  ret void
}

;--- count.ll
; All vectors change one element.
declare i64 @__falx_local_id_x()
declare void @__falx_work_group_barrier()
define void @kernel(ptr %f) "falx-kind"="2" "falx-dimensions"="1" "falx-sub-group-size"="2" "falx-local-range"="16,1,1" {
entry:
  %data = load ptr, ptr %f
  %id = call i64 @__falx_local_id_x()
  br label %distances
distances:
  %distance = phi i64 [ 8, %entry ], [ %distance.next, %distances ]
  call void @__falx_work_group_barrier()
  %others = sub i64 0, %distance
  %high = and i64 %id, %others
  %low = add i64 %id, %high
  %low.at = getelementptr i32, ptr %data, i64 %low
  %a = load i32, ptr %low.at
  store i32 %a, ptr %data
  %distance.next = lshr i64 %distance, 1
  %done = icmp eq i64 %distance.next, 0
  br i1 %done, label %end, label %distances
end:
  ret void
}

;--- same.ll
; Two pointers that may be the same.
declare i64 @__falx_local_id_x()
declare void @__falx_work_group_barrier()
define void @kernel(ptr %f) "falx-kind"="2" "falx-dimensions"="1" "falx-sub-group-size"="2" "falx-local-range"="16,1,1" {
entry:
  %data = load ptr, ptr %f
  %f.8 = getelementptr i8, ptr %f, i64 8
  %more = load ptr, ptr %f.8
  %id = call i64 @__falx_local_id_x()
  br label %distances
distances:
  %distance = phi i64 [ 8, %entry ], [ %distance.next, %distances ]
  call void @__falx_work_group_barrier()
  %others = sub i64 0, %distance
  %high = and i64 %id, %others
  %low = add i64 %id, %high
  %low.at = getelementptr i32, ptr %data, i64 %low
  %a = load i32, ptr %low.at
  %more.at = getelementptr i32, ptr %more, i64 %low
  store i32 %a, ptr %more.at
  %distance.next = lshr i64 %distance, 1
  %done = icmp eq i64 %distance.next, 0
  br i1 %done, label %end, label %distances
end:
  ret void
}

;--- rest.ll
; The group is not made of whole vectors.
declare i64 @__falx_local_id_x()
declare void @__falx_work_group_barrier()
define void @kernel(ptr %f) "falx-kind"="2" "falx-dimensions"="1" "falx-sub-group-size"="2" "falx-local-range"="15,1,1" {
entry:
  %data = load ptr, ptr %f
  %id = call i64 @__falx_local_id_x()
  br label %distances
distances:
  %distance = phi i64 [ 8, %entry ], [ %distance.next, %distances ]
  call void @__falx_work_group_barrier()
  %others = sub i64 0, %distance
  %high = and i64 %id, %others
  %low = add i64 %id, %high
  %low.at = getelementptr i32, ptr %data, i64 %low
  %a = load i32, ptr %low.at
  %b = add i32 %a, 1
  store i32 %b, ptr %low.at
  %distance.next = lshr i64 %distance, 1
  %done = icmp eq i64 %distance.next, 0
  br i1 %done, label %end, label %distances
end:
  ret void
}

;--- stop.ll
; Whether there is another step is read from memory.
declare i64 @__falx_local_id_x()
declare void @__falx_work_group_barrier()
define void @kernel(ptr %f) "falx-kind"="2" "falx-dimensions"="1" "falx-sub-group-size"="2" "falx-local-range"="16,1,1" {
entry:
  %data = load ptr, ptr %f
  %f.8 = getelementptr i8, ptr %f, i64 8
  %last = load i64, ptr %f.8
  %id = call i64 @__falx_local_id_x()
  br label %distances
distances:
  %distance = phi i64 [ 8, %entry ], [ %distance.next, %distances ]
  call void @__falx_work_group_barrier()
  %others = sub i64 0, %distance
  %high = and i64 %id, %others
  %low = add i64 %id, %high
  %low.at = getelementptr i32, ptr %data, i64 %low
  %a = load i32, ptr %low.at
  %b = add i32 %a, 1
  store i32 %b, ptr %low.at
  %distance.next = lshr i64 %distance, 1
  %done = icmp ule i64 %distance.next, %last
  br i1 %done, label %end, label %distances
end:
  ret void
}
