; Barriers at which no vector needs to wait for another one become barriers of sub-groups, behind unrolling of the loops
; around them if that is worth it.
; RUN: split-file %s %t
; RUN: falx-opt --passes=falx-lower-builtins,falx-unroll-constant-loops,falx-independent-vectors -S %t/sort.ll | FileCheck %s --check-prefix=SORT
; RUN: falx-opt --passes=falx-lower-builtins,falx-unroll-constant-loops,falx-independent-vectors -S %t/tree.ll | FileCheck %s --check-prefix=KEPT
; RUN: falx-opt --passes=falx-lower-builtins,falx-unroll-constant-loops,falx-independent-vectors -S %t/grow.ll | FileCheck %s --check-prefix=GROW
; RUN: falx-opt --passes=falx-lower-builtins,falx-unroll-constant-loops,falx-independent-vectors -S %t/rows.ll | FileCheck %s --check-prefix=ROWS
; RUN: falx-opt --passes=falx-lower-builtins,falx-unroll-constant-loops,falx-independent-vectors -S %t/one-vector.ll | FileCheck %s --check-prefix=ONE
; RUN: falx-opt --passes=falx-lower-builtins,falx-unroll-constant-loops,falx-independent-vectors -S %t/far.ll | FileCheck %s --check-prefix=KEPT
; RUN: falx-opt --passes=falx-lower-builtins,falx-unroll-constant-loops,falx-independent-vectors -S %t/count.ll | FileCheck %s --check-prefix=KEPT
; RUN: falx-opt --passes=falx-lower-builtins,falx-unroll-constant-loops,falx-independent-vectors -S %t/same.ll | FileCheck %s --check-prefix=KEPT
; RUN: falx-opt --passes=falx-lower-builtins,falx-unroll-constant-loops,falx-independent-vectors -S %t/stop.ll | FileCheck %s --check-prefix=KEPT
; RUN: falx-opt --passes=falx-lower-builtins,falx-unroll-constant-loops,falx-independent-vectors -S %t/return.ll | FileCheck %s --check-prefix=KEPT
; RUN: falx-opt --passes=falx-lower-builtins,falx-unroll-constant-loops,falx-independent-vectors -S %t/call.ll | FileCheck %s --check-prefix=KEPT
; RUN: falx-opt --passes=falx-lower-builtins,falx-unroll-constant-loops,falx-independent-vectors -S %t/unknown-range.ll | FileCheck %s --check-prefix=KEPT
; RUN: falx-opt --passes=falx-lower-builtins,falx-unroll-constant-loops,falx-independent-vectors -S %t/large.ll | FileCheck %s --check-prefix=KEPT
; RUN: falx-opt --passes=falx-lower-builtins,falx-unroll-constant-loops,falx-independent-vectors -S %t/tiles.ll | FileCheck %s --check-prefix=TILES
; RUN: falx-opt --passes=falx-lower-builtins,falx-unroll-constant-loops,falx-independent-vectors,falx-split-barriers -mtriple=x86_64 -mcpu=icelake-server -S %t/sort.ll | FileCheck %s --check-prefix=LANES
; KEPT-NOT: call void @__falx_sub_group_barrier

;--- sort.ll
; Vectors of two lanes have four elements: the sizes 2 and 4, then the distance 4 by itself, and so on.
; SORT-LABEL: define internal void @kernel.work_item(
; SORT-NOT: phi
; SORT: call void @__falx_sub_group_barrier()
; SORT: call void @__falx_sub_group_barrier()
; SORT: call void @__falx_work_group_barrier()
; SORT: call void @__falx_work_group_barrier()
; SORT: call void @__falx_sub_group_barrier()
; SORT: call void @__falx_work_group_barrier()
; SORT-NOT: phi
; SORT: ret void
; Elements come by permutations.
; LANES: define internal { i32 } @kernel.region.1.lanes(
; LANES: shufflevector
; LANES-NOT: gather
; LANES: ret
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

;--- tree.ll
; The first vector alone is left in the end: nothing is gained.
declare range(i64 0, 16) i64 @__falx_local_id_x()
declare ptr @__falx_local_memory()
declare void @__falx_work_group_barrier() convergent
define void @kernel(ptr %f) "falx-kind"="2" "falx-dimensions"="1" "falx-sub-group-size"="4" "falx-local-range"="16,1,1" {
entry:
  %data = call ptr @__falx_local_memory()
  %id = call i64 @__falx_local_id_x()
  %own = getelementptr i32, ptr %data, i64 %id
  br label %distances
distances:
  %distance = phi i64 [ 8, %entry ], [ %distance.next, %next ]
  %takes.part = icmp ult i64 %id, %distance
  br i1 %takes.part, label %add, label %next
add:
  %a = load i32, ptr %own
  %other = add i64 %id, %distance
  %other.at = getelementptr i32, ptr %data, i64 %other
  %b = load i32, ptr %other.at
  %sum = add i32 %a, %b
  store i32 %sum, ptr %own
  br label %next
next:
  call void @__falx_work_group_barrier()
  %distance.next = lshr i64 %distance, 1
  %done = icmp eq i64 %distance.next, 0
  br i1 %done, label %end, label %distances
end:
  %first = load i32, ptr %data
  %is.first = icmp eq i64 %id, 0
  br i1 %is.first, label %write, label %exit
write:
  %result = load ptr, ptr %f
  store i32 %first, ptr %result
  br label %exit
exit:
  ret void
}

;--- grow.ll
; Distances that grow, factors from memory that nobody writes, as only local memory is written.
; GROW-LABEL: define internal void @kernel.work_item(
; GROW-NOT: @__falx_work_group_barrier
; GROW: call void @__falx_sub_group_barrier()
; GROW: call void @__falx_sub_group_barrier()
; GROW: call void @__falx_work_group_barrier()
; GROW: call void @__falx_work_group_barrier()
; GROW: ret void
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

;--- rows.ll
; Vectors of several rows, and one that is not full: lanes follow each other by their linear ids.
; ROWS-LABEL: define internal void @kernel.work_item(
; ROWS: call void @__falx_sub_group_barrier()
; ROWS: call void @__falx_sub_group_barrier()
; ROWS-NOT: call void @__falx_work_group_barrier()
; ROWS: ret void
declare i64 @__falx_local_id_x()
declare i64 @__falx_local_id_y()
declare void @__falx_work_group_barrier() convergent
define void @kernel(ptr %f) "falx-kind"="2" "falx-dimensions"="2" "falx-sub-group-size"="4" "falx-local-range"="2,5,1" {
  %data = load ptr, ptr %f
  %x = call i64 @__falx_local_id_x()
  %y = call i64 @__falx_local_id_y()
  %row = mul i64 %y, 2
  %linear = add i64 %row, %x
  %own = getelementptr i32, ptr %data, i64 %linear
  store i32 1, ptr %own
  call void @__falx_work_group_barrier()
  %neighbour = xor i64 %linear, 1
  %at = getelementptr i32, ptr %data, i64 %neighbour
  %a = load i32, ptr %at
  call void @__falx_work_group_barrier()
  store i32 %a, ptr %own
  ret void
}

;--- one-vector.ll
; No other vector is there to wait for, whatever a call does.
; ONE-LABEL: define internal void @kernel.work_item(
; ONE: call void @__falx_sub_group_barrier()
; ONE-NOT: call void @__falx_work_group_barrier()
; ONE: ret void
declare void @__falx_work_group_barrier() convergent
declare void @other(ptr)
define void @kernel(ptr %f) "falx-kind"="2" "falx-dimensions"="1" "falx-sub-group-size"="16" "falx-local-range"="16,1,1" {
  %data = load ptr, ptr %f
  call void @other(ptr %data)
  call void @__falx_work_group_barrier()
  call void @other(ptr %data)
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
  %high.at = getelementptr i32, ptr %low.at, i64 %distance
  store i32 %a, ptr %high.at
  %distance.next = lshr i64 %distance, 1
  %done = icmp ule i64 %distance.next, %last
  br i1 %done, label %end, label %distances
end:
  ret void
}

;--- return.ll
; Some work-items return before the barrier: nothing but the barrier's region says what they have done by then.
declare i64 @__falx_local_id_x()
declare void @__falx_work_group_barrier() convergent
define void @kernel(ptr %f) "falx-kind"="2" "falx-dimensions"="1" "falx-sub-group-size"="4" "falx-local-range"="16,1,1" {
  %data = load ptr, ptr %f
  %id = call i64 @__falx_local_id_x()
  %own = getelementptr i32, ptr %data, i64 %id
  store i32 1, ptr %own
  %returns = icmp ugt i64 %id, 5
  br i1 %returns, label %end, label %on
on:
  call void @__falx_work_group_barrier()
  %neighbour = xor i64 %id, 1
  %at = getelementptr i32, ptr %data, i64 %neighbour
  %a = load i32, ptr %at
  call void @__falx_work_group_barrier()
  store i32 %a, ptr %own
  br label %end
end:
  ret void
}

;--- call.ll
; A call, of which nothing is known.
declare i64 @__falx_local_id_x()
declare void @__falx_work_group_barrier() convergent
declare void @other(ptr)
define void @kernel(ptr %f) "falx-kind"="2" "falx-dimensions"="1" "falx-sub-group-size"="2" "falx-local-range"="16,1,1" {
entry:
  %data = load ptr, ptr %f
  %id = call i64 @__falx_local_id_x()
  br label %distances
distances:
  %distance = phi i64 [ 8, %entry ], [ %distance.next, %next ]
  %other = xor i64 %id, %distance
  %other.at = getelementptr i32, ptr %data, i64 %other
  %x = load i32, ptr %other.at
  call void @__falx_work_group_barrier()
  %own = getelementptr i32, ptr %data, i64 %id
  store i32 %x, ptr %own
  call void @other(ptr %data)
  call void @__falx_work_group_barrier()
  br label %next
next:
  %distance.next = lshr i64 %distance, 1
  %done = icmp eq i64 %distance.next, 0
  br i1 %done, label %end, label %distances
end:
  ret void
}

;--- unknown-range.ll
; How many work-items a group has is known when it is launched.
declare i64 @__falx_local_id_x()
declare void @__falx_work_group_barrier() convergent
define void @kernel(ptr %f) "falx-kind"="2" "falx-dimensions"="1" "falx-sub-group-size"="2" {
entry:
  %data = load ptr, ptr %f
  %id = call i64 @__falx_local_id_x()
  br label %distances
distances:
  %distance = phi i64 [ 8, %entry ], [ %distance.next, %next ]
  call void @__falx_work_group_barrier()
  %other = xor i64 %id, %distance
  %other.at = getelementptr i32, ptr %data, i64 %other
  %x = load i32, ptr %other.at
  call void @__falx_work_group_barrier()
  %own = getelementptr i32, ptr %data, i64 %id
  store i32 %x, ptr %own
  br label %next
next:
  %distance.next = lshr i64 %distance, 1
  %done = icmp eq i64 %distance.next, 0
  br i1 %done, label %end, label %distances
end:
  ret void
}

;--- large.ll
; So many steps that the kernel would become too large.
declare i64 @__falx_local_id_x()
declare void @__falx_work_group_barrier() convergent
define void @kernel(ptr %f) "falx-kind"="2" "falx-dimensions"="1" "falx-sub-group-size"="2" "falx-local-range"="16,1,1" {
entry:
  %data = load ptr, ptr %f
  %id = call i64 @__falx_local_id_x()
  br label %steps
steps:
  %step = phi i64 [ 0, %entry ], [ %step.next, %steps ]
  call void @__falx_work_group_barrier()
  %bit = and i64 %step, 1
  %other = xor i64 %id, %bit
  %other.at = getelementptr i32, ptr %data, i64 %other
  %x = load i32, ptr %other.at
  call void @__falx_work_group_barrier()
  %own = getelementptr i32, ptr %data, i64 %id
  store i32 %x, ptr %own
  %step.next = add i64 %step, 1
  %done = icmp eq i64 %step.next, 400
  br i1 %done, label %end, label %steps
end:
  ret void
}

;--- tiles.ll
; Only the last barrier of a loop over tiles would go, behind which nothing is written.
; TILES-LABEL: define internal void @kernel.work_item(
; TILES: phi
; TILES: call void @__falx_work_group_barrier()
; TILES: call void @__falx_work_group_barrier()
; TILES-NOT: call void @__falx
; TILES: ret void
declare range(i64 0, 16) i64 @__falx_local_id_x()
declare ptr @__falx_local_memory()
declare void @__falx_work_group_barrier() convergent
define void @kernel(ptr %f) "falx-kind"="2" "falx-dimensions"="1" "falx-sub-group-size"="2" "falx-local-range"="16,1,1" {
entry:
  %data = load ptr, ptr %f
  %tile = call ptr @__falx_local_memory()
  %id = call i64 @__falx_local_id_x()
  %own = getelementptr i32, ptr %tile, i64 %id
  %reversed = sub i64 15, %id
  %other = getelementptr i32, ptr %tile, i64 %reversed
  br label %tiles
tiles:
  %n = phi i64 [ 0, %entry ], [ %n.next, %tiles ]
  %sum = phi i32 [ 0, %entry ], [ %sum.next, %tiles ]
  %start = mul i64 %n, 16
  %at = add i64 %start, %id
  %from = getelementptr i32, ptr %data, i64 %at
  %x = load i32, ptr %from
  store i32 %x, ptr %own
  call void @__falx_work_group_barrier()
  %y = load i32, ptr %other
  %sum.next = add i32 %sum, %y
  call void @__falx_work_group_barrier()
  %n.next = add i64 %n, 1
  %done = icmp eq i64 %n.next, 8
  br i1 %done, label %end, label %tiles
end:
  %result = getelementptr i32, ptr %data, i64 %id
  store i32 %sum.next, ptr %result
  ret void
}
