; A group's sub-groups go side by side through a loop over rows, from behind its test on if it begins with that; not where
; work-items would have to keep something, go different ways, or read rows of their own.
; RUN: split-file %s %t
; RUN: falx-opt --passes=falx-lower-builtins,falx-keep-loops-in-step -S %t/rows.ll | FileCheck --check-prefix=ROWS %s
; RUN: falx-opt --passes=falx-lower-builtins,falx-keep-loops-in-step -S %t/tested-last.ll | FileCheck --check-prefix=LAST %s
; RUN: falx-opt --passes=falx-lower-builtins,falx-keep-loops-in-step -S %t/sums.ll | FileCheck --check-prefix=OTHERS %s
; RUN: falx-opt --passes=falx-lower-builtins,falx-keep-loops-in-step -S %t/parting.ll | FileCheck --check-prefix=OTHERS %s
; RUN: falx-opt --passes=falx-lower-builtins,falx-keep-loops-in-step -S %t/own-rows.ll | FileCheck --check-prefix=OTHERS %s
; RUN: falx-opt --passes=falx-lower-builtins,falx-keep-loops-in-step -S %t/one-vector.ll | FileCheck --check-prefix=OTHERS %s
; OTHERS: loop:
; OTHERS-NOT: barrier()

;--- rows.ll
; ROWS: loop:
; ROWS-NOT: barrier()
; ROWS: body:
; ROWS-NEXT: call void @__falx_work_group_barrier()
; ROWS-NOT: barrier()
; ROWS: ret void
declare i64 @__falx_global_id_x()
declare ptr @__falx_local_memory()
define void @kernel(ptr %f) "falx-kind"="2" "falx-dimensions"="1" "falx-sub-group-size"="4" "falx-local-range"="64,1,1" "falx-no-offset" {
entry:
  %id = call i64 @__falx_global_id_x()
  %local = call ptr @__falx_local_memory()
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp ult i64 %i, 1000
  br i1 %more, label %body, label %end
body:
  %data = load ptr, ptr %f
  %row = mul i64 %i, 64
  %element = add i64 %row, %id
  %from = getelementptr i8, ptr %data, i64 %element
  %byte = load i8, ptr %from
  %index = zext i8 %byte to i64
  %at = getelementptr i32, ptr %local, i64 %index
  %ignored = atomicrmw add ptr %at, i32 1 monotonic, align 4
  %next = add i64 %i, 1
  br label %loop
end:
  ret void
}

;--- tested-last.ll
; LAST: loop:
; LAST-NEXT: %i = phi i64
; LAST-NEXT: call void @__falx_work_group_barrier()
; LAST-NOT: barrier()
; LAST: ret void
declare i64 @__falx_global_id_x()
declare ptr @__falx_local_memory()
define void @kernel(ptr %f) "falx-kind"="2" "falx-dimensions"="1" "falx-sub-group-size"="4" "falx-local-range"="64,1,1" "falx-no-offset" {
entry:
  %id = call i64 @__falx_global_id_x()
  %local = call ptr @__falx_local_memory()
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %rest ]
  %data = load ptr, ptr %f
  %row = mul i64 %i, 64
  %element = add i64 %row, %id
  %from = getelementptr i8, ptr %data, i64 %element
  %byte = load i8, ptr %from
  %is.zero = icmp eq i8 %byte, 0
  br i1 %is.zero, label %count, label %rest
count:
  %ignored = atomicrmw add ptr %local, i32 1 monotonic, align 4
  br label %rest
rest:
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, 1000
  br i1 %more, label %loop, label %end
end:
  ret void
}

;--- sums.ll
declare i64 @__falx_global_id_x()
define void @kernel(ptr %f) "falx-kind"="2" "falx-dimensions"="1" "falx-sub-group-size"="4" "falx-local-range"="64,1,1" "falx-no-offset" {
entry:
  %id = call i64 @__falx_global_id_x()
  %data = load ptr, ptr %f
  %out = getelementptr i32, ptr %data, i64 %id
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %sum = phi i32 [ 0, %entry ], [ %sum.next, %body ]
  %more = icmp ult i64 %i, 1000
  br i1 %more, label %body, label %end
body:
  %row = mul i64 %i, 64
  %element = add i64 %row, %id
  %from = getelementptr i32, ptr %data, i64 %element
  %x = load i32, ptr %from
  %sum.next = add i32 %sum, %x
  %next = add i64 %i, 1
  br label %loop
end:
  %result = phi i32 [ %sum, %loop ]
  store i32 %result, ptr %out
  ret void
}

;--- parting.ll
declare i64 @__falx_global_id_x()
define void @kernel(ptr %f) "falx-kind"="2" "falx-dimensions"="1" "falx-sub-group-size"="4" "falx-local-range"="64,1,1" "falx-no-offset" {
entry:
  %id = call i64 @__falx_global_id_x()
  %data = load ptr, ptr %f
  %early = icmp ugt i64 %id, 1000
  br i1 %early, label %end, label %before
before:
  br label %loop
loop:
  %i = phi i64 [ 0, %before ], [ %next, %body ]
  %more = icmp ult i64 %i, 1000
  br i1 %more, label %body, label %end
body:
  %row = mul i64 %i, 64
  %element = add i64 %row, %id
  %at = getelementptr i32, ptr %data, i64 %element
  store i32 1, ptr %at
  %next = add i64 %i, 1
  br label %loop
end:
  ret void
}

;--- own-rows.ll
declare i64 @__falx_global_id_x()
define void @kernel(ptr %f) "falx-kind"="2" "falx-dimensions"="1" "falx-sub-group-size"="4" "falx-local-range"="64,1,1" "falx-no-offset" {
entry:
  %id = call i64 @__falx_global_id_x()
  %data = load ptr, ptr %f
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp ult i64 %i, 1000
  br i1 %more, label %body, label %end
body:
  %row = mul i64 %id, 1000
  %element = add i64 %row, %i
  %at = getelementptr i32, ptr %data, i64 %element
  store i32 1, ptr %at
  %next = add i64 %i, 1
  br label %loop
end:
  ret void
}

;--- one-vector.ll
declare i64 @__falx_global_id_x()
define void @kernel(ptr %f) "falx-kind"="2" "falx-dimensions"="1" "falx-sub-group-size"="4" "falx-local-range"="4,1,1" "falx-no-offset" {
entry:
  %id = call i64 @__falx_global_id_x()
  %data = load ptr, ptr %f
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp ult i64 %i, 1000
  br i1 %more, label %body, label %end
body:
  %row = mul i64 %i, 64
  %element = add i64 %row, %id
  %at = getelementptr i32, ptr %data, i64 %element
  store i32 1, ptr %at
  %next = add i64 %i, 1
  br label %loop
end:
  ret void
}
