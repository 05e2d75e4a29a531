; Builtins become parameters of the work-item function; a sub-group has one work-item.
; RUN: falx-opt --passes=falx-lower-builtins -S %s | FileCheck %s

declare i64 @__falx_global_id_x()
declare i64 @__falx_global_id_y()
declare i64 @__falx_local_range_x()
declare i32 @__falx_sub_group_size()
declare i32 @__falx_sub_group_id()
declare i1 @__falx_sub_groups_in_order()
declare i32 @__falx_sub_group_shuffle_u32(i32, i32)
declare i64 @__falx_sub_group_ballot(i1)
declare i64 @__falx_sub_group_shuffle_xor_u64(i64, i32)
declare i32 @__falx_sub_group_shuffle_up_u32(i32, i32)
declare i1 @__falx_sub_group_any(i1)
declare double @__falx_sub_group_reduce_add_f64(double)
declare void @__falx_sub_group_barrier()
declare void @__falx_work_group_barrier()
declare ptr @__falx_group_scratch(i64)
declare ptr @__falx_local_memory()
declare void @use(i64, i32, i32, i64, ptr, ptr) memory(argmem: readwrite)

; CHECK-LABEL: define internal void @kernel.work_item(ptr dereferenceable(24) %function, i64 range(i64 0, 16) %index.x,
; CHECK: %[[BASE:.*]] = mul nuw nsw i64 %group.x, 16
; CHECK: %[[IN_GROUP:.*]] = add nuw nsw i64 %[[BASE]], %index.x
; CHECK: %[[ID:.*]] = add nuw nsw i64 %[[IN_GROUP]], %global.offset.x
; CHECK-NOT: __falx_sub_group
; CHECK: %[[SUB_GROUP:.*]] = trunc i64 %linear to i32
; CHECK: %[[BALLOT:.*]] = zext i1 %{{.*}} to i64
; CHECK: call void @__falx_work_group_barrier()
; CHECK: %data = load ptr, ptr %function, align 8, !invariant.load
; CHECK: %wide = zext i32 %[[SUB_GROUP]] to i64
; CHECK: %sum = uitofp i64 %wide to double
; CHECK: select i1 %even, double %sum, double 0.0
; CHECK: call void @use(i64 %[[ID]], i32 1, i32 %[[SUB_GROUP]], i64 %[[BALLOT]], ptr %local.memory, ptr %group.scratch)
; CHECK: store i1 false
; CHECK: attributes {{.*}}"falx-scratch"="16"
define void @kernel(ptr dereferenceable(24) %f) "falx-kind"="2" "falx-dimensions"="1" "falx-local-range"="16,1,1" {
  %id = call i64 @__falx_global_id_x()
  %y = call i64 @__falx_global_id_y()
  %size = call i32 @__falx_sub_group_size()
  %sub_group = call i32 @__falx_sub_group_id()
  %same = call i32 @__falx_sub_group_shuffle_u32(i32 %sub_group, i32 3)
  %even = icmp eq i32 %same, 0
  %ballot = call i64 @__falx_sub_group_ballot(i1 %even)
  call void @__falx_sub_group_barrier()
  call void @__falx_work_group_barrier()
  %little = call ptr @__falx_group_scratch(i64 8)
  %scratch = call ptr @__falx_group_scratch(i64 16)
  %local = call ptr @__falx_local_memory()
  %data = load ptr, ptr %f, align 8
  %up = call i32 @__falx_sub_group_shuffle_up_u32(i32 %sub_group, i32 1)
  %wide = zext i32 %up to i64
  %other = call i64 @__falx_sub_group_shuffle_xor_u64(i64 %wide, i32 1)
  %sum = uitofp i64 %other to double
  %total = call double @__falx_sub_group_reduce_add_f64(double %sum)
  %any = call i1 @__falx_sub_group_any(i1 %even)
  %chosen = select i1 %any, double %total, double 0.0
  store double %chosen, ptr %data
  call void @use(i64 %id, i32 %size, i32 %same, i64 %ballot, ptr %local, ptr %scratch)
  store i64 %y, ptr %data
  %in.order = call i1 @__falx_sub_groups_in_order()
  store i1 %in.order, ptr %data
  ret void
}
