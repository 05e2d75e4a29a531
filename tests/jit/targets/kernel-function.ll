; The function that the runtime calls loads the geometry once and loops over its box.
; RUN: split-file %s %t
; RUN: falx-opt --passes=falx-lower-builtins,falx-kernel-function -S %t/range.ll | FileCheck %s --check-prefix=RANGE
; RUN: falx-opt --passes=falx-lower-builtins,falx-kernel-function -S %t/single.ll | FileCheck %s --check-prefix=SINGLE
; RUN: falx-opt --passes=falx-lower-builtins,falx-kernel-function -S %t/work_group.ll | FileCheck %s --check-prefix=GROUP
; RUN: falx-opt --passes=falx-lower-builtins,falx-split-barriers,falx-kernel-function -S %t/nd_range.ll | FileCheck %s --check-prefix=ND

; RANGE: @falx_kernel_properties = constant { i32, i32, i64, i64, ptr, ptr, ptr, ptr, i64 } { i32 5, i32 1, i64 0, i64 0, ptr @kernel, ptr @falx_kernel_stack_bytes, ptr @falx_kernel_unbounded_stack, ptr null, i64 0 }
; RANGE: define internal void @kernel(ptr noalias noundef nonnull readonly align 8 dereferenceable(104) %launch
; RANGE: %function = load ptr, ptr %{{.*}}, align 8, !invariant.load !{{[0-9]+}}, !nonnull !{{[0-9]+}}, !dereferenceable ![[SIZE:[0-9]+]], !align
; RANGE: %[[GUARD:.*]] = icmp ult i64 %begin{{.*}}, %end
; RANGE: br i1 %[[GUARD]], label %box.x, label %box.x.end
; RANGE: call void @kernel.work_item(ptr %function, i64 %box.x.index, i64 0, i64 0
; RANGE: br i1 {{.*}}, label %box.x.end, label %box.x, !llvm.loop
; RANGE: ![[SIZE]] = !{i64 24}

; SINGLE: define internal void @kernel(
; SINGLE-NOT: box
; SINGLE: call void @kernel.work_item(ptr %function, i64 0, i64 0, i64 0
; SINGLE-NEXT: ret void

; GROUP: define internal void @kernel.work_item(
; GROUP: %[[ALLOCATE:.*]] = load ptr, ptr
; GROUP: call noalias align 64 ptr %[[ALLOCATE]](ptr %worker, i64 100)
; GROUP: define internal void @kernel(
; GROUP: call void @kernel.work_item({{.*}}i64 %box.x.index, i64 %box.y.index, i64 0
; GROUP: %release = load ptr, ptr
; GROUP: call void %release(ptr %worker)

; ND: { i32 5, i32 1, i64 8, i64 0, ptr @kernel, ptr
; ND: define internal void @kernel(
; ND: call void @kernel.group(ptr %function, i64 0, i64 0, i64 0, i64 0, i64 %box.x.index

;--- range.ll
declare i64 @__falx_global_id_x()
define void @kernel(ptr nonnull align 8 dereferenceable(24) %f) "falx-kind"="1" "falx-dimensions"="1" {
  %id = call i64 @__falx_global_id_x()
  %data = load ptr, ptr %f
  store i64 %id, ptr %data
  ret void
}
;--- single.ll
define void @kernel(ptr %f) "falx-kind"="0" "falx-dimensions"="1" {
  store i64 0, ptr %f
  ret void
}
;--- work_group.ll
declare ptr @__falx_work_group_alloc(i64)
define void @kernel(ptr %f) "falx-kind"="3" "falx-dimensions"="2" {
  %p = call ptr @__falx_work_group_alloc(i64 100)
  store i64 0, ptr %p
  ret void
}
;--- nd_range.ll
declare ptr @__falx_group_scratch(i64)
define void @kernel(ptr %f) "falx-kind"="2" "falx-dimensions"="1" {
  %p = call ptr @__falx_group_scratch(i64 8)
  store i64 0, ptr %p
  ret void
}
