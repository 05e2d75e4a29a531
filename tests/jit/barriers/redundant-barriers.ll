; A barrier behind another one goes if memory was not touched between them on any way, and the other one is of as large
; a group.
; RUN: split-file %s %t
; RUN: falx-opt --passes=falx-redundant-barriers -S %t/seam.ll | FileCheck --check-prefix=SEAM %s
; RUN: falx-opt --passes=falx-redundant-barriers -S %t/joins.ll | FileCheck --check-prefix=JOINS %s
; RUN: falx-opt --passes=falx-redundant-barriers -S %t/loop.ll | FileCheck --check-prefix=LOOP %s
; RUN: falx-opt --passes=falx-redundant-barriers -S %t/ptx.ll | FileCheck --check-prefix=PTX %s
; RUN: falx-opt --passes=falx-redundant-barriers -S %t/members.ll | FileCheck --check-prefix=MEMBERS %s

; What functions of sub-groups do, marks of lifetimes, and reads of the function object do not count.
;--- seam.ll
; SEAM: store i32 1
; SEAM-NEXT: call void @__falx_work_group_barrier()
; SEAM-NEXT: call void @llvm.lifetime.start
; SEAM-NEXT: getelementptr
; SEAM-NEXT: load ptr
; SEAM-NEXT: %sum = call i32 @__falx_sub_group_reduce_add_u32(i32 %lane)
; SEAM-NEXT: store i32 %sum
; SEAM-NEXT: call void @__falx_sub_group_barrier()
; SEAM-NEXT: call void @__falx_work_group_barrier()
; SEAM-NEXT: %x = load i32
; SEAM-NEXT: call void @__falx_sub_group_barrier()
; SEAM-NEXT: ret void
declare void @__falx_work_group_barrier()
declare void @__falx_sub_group_barrier()
declare i32 @__falx_sub_group_local_id() memory(none)
declare i32 @__falx_sub_group_reduce_add_u32(i32)
declare void @llvm.lifetime.start.p0(ptr)
define void @kernel(ptr %f) "falx-kind"="2" "falx-dimensions"="1" {
  %variable = alloca i32
  %lane = call i32 @__falx_sub_group_local_id()
  %p = load ptr, ptr %f
  store i32 1, ptr %p
  call void @__falx_work_group_barrier()
  call void @__falx_work_group_barrier()
  call void @llvm.lifetime.start.p0(ptr %variable)
  call void @__falx_sub_group_barrier()
  %captured = getelementptr i8, ptr %f, i64 8
  %q = load ptr, ptr %captured
  %sum = call i32 @__falx_sub_group_reduce_add_u32(i32 %lane)
  call void @__falx_sub_group_barrier()
  store i32 %sum, ptr %q
  call void @__falx_sub_group_barrier()
  call void @__falx_work_group_barrier()
  %x = load i32, ptr %p
  call void @__falx_sub_group_barrier()
  ret void
}

; All ways to the second barrier come from one, but one of those to the third touches memory.
;--- joins.ll
; JOINS: one:
; JOINS-NEXT: call void @__falx_work_group_barrier()
; JOINS: other:
; JOINS-NEXT: store i32 1
; JOINS-NEXT: call void @__falx_work_group_barrier()
; JOINS: join:
; JOINS-NEXT: br i1
; JOINS: end:
; JOINS-NEXT: call void @__falx_work_group_barrier()
declare void @__falx_work_group_barrier()
define void @kernel(ptr %f, i1 %a, i1 %b) "falx-kind"="2" "falx-dimensions"="1" {
entry:
  br i1 %a, label %one, label %other
one:
  call void @__falx_work_group_barrier()
  br label %join
other:
  store i32 1, ptr %f
  call void @__falx_work_group_barrier()
  br label %join
join:
  call void @__falx_work_group_barrier()
  br i1 %b, label %touching, label %end
touching:
  store i32 2, ptr %f
  br label %end
end:
  call void @__falx_work_group_barrier()
  ret void
}

; The loop's first barrier has nothing before it when the loop is entered; its second one has the first, and so has the
; one behind the loop.
;--- loop.ll
; LOOP: loop:
; LOOP: call void @__falx_work_group_barrier()
; LOOP-NOT: barrier()
; LOOP: br i1
; LOOP: end:
; LOOP-NEXT: ret void
declare void @__falx_work_group_barrier()
define void @kernel(ptr %f, i32 %n) "falx-kind"="2" "falx-dimensions"="1" {
entry:
  store i32 1, ptr %f
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void @__falx_work_group_barrier()
  %next = add i32 %i, 1
  call void @__falx_work_group_barrier()
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  call void @__falx_work_group_barrier()
  ret void
}

; What builtins become on GPUs: a shuffle touches no memory, nor does what keeps the compiler from moving accesses.
;--- ptx.ll
; PTX: store i32 1
; PTX-NEXT: call void @llvm.nvvm.bar.warp.sync
; PTX-NEXT: call void asm sideeffect "", "~{memory}"()
; PTX-NEXT: %x = call i32 @llvm.nvvm.shfl.sync.bfly.i32
; PTX-NEXT: call void asm sideeffect "", "~{memory}"()
; PTX-NEXT: %y = call i32 @llvm.nvvm.shfl.sync.bfly.i32
; PTX-NEXT: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
; PTX-NEXT: call void asm sideeffect "red.global.add.u32
; PTX-NEXT: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
; PTX-NEXT: %any = call i1 @llvm.nvvm.barrier.cta.red.or.aligned.all(i32 0, i1 true)
; PTX-NEXT: ret void
declare void @llvm.nvvm.bar.warp.sync(i32)
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare i1 @llvm.nvvm.barrier.cta.red.or.aligned.all(i32, i1)
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)
define void @kernel(ptr %f, i32 %v) "falx-kind"="2" "falx-dimensions"="1" {
  %p = load ptr, ptr %f
  store i32 1, ptr %p
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  call void asm sideeffect "", "~{memory}"()
  %x = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %v, i32 16, i32 31)
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  call void asm sideeffect "", "~{memory}"()
  %y = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %x, i32 8, i32 31)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  call void asm sideeffect "red.global.add.u32 [$0], $1;", "l,r,~{memory}"(ptr %p, i32 %y)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %any = call i1 @llvm.nvvm.barrier.cta.red.or.aligned.all(i32 0, i1 true)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  ret void
}

; Where some members of a sub-group have met, all of them have not.
;--- members.ll
; MEMBERS: store i32 1
; MEMBERS-NEXT: call void @llvm.nvvm.bar.warp.sync(i32 %members)
; MEMBERS-NEXT: call void @llvm.nvvm.bar.warp.sync(i32 -1)
; MEMBERS-NEXT: load i32
declare void @llvm.nvvm.bar.warp.sync(i32)
define void @kernel(ptr %f, i32 %members) "falx-kind"="2" "falx-dimensions"="1" {
  %p = load ptr, ptr %f
  store i32 1, ptr %p
  call void @llvm.nvvm.bar.warp.sync(i32 %members) #0
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  %x = load i32, ptr %p
  ret void
}
attributes #0 = { "falx-members" }
