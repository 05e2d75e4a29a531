; Loads that scopes keep apart from all that the kernel writes do not change.
; RUN: split-file %s %t
; RUN: falx-opt --passes=falx-ptx-constant-loads %t/apart.ll | FileCheck %t/apart.ll
; RUN: falx-opt --passes=falx-ptx-constant-loads %t/unknown-store.ll | FileCheck %t/unknown-store.ll
; RUN: falx-opt --passes=falx-ptx-constant-loads %t/loop.ll | FileCheck %t/loop.ll
; RUN: falx-opt --passes=falx-ptx-constant-loads %t/order.ll | FileCheck %t/order.ll
; RUN: falx-opt --passes=falx-ptx-constant-loads %t/membar.ll | FileCheck %t/membar.ll
; RUN: falx-opt --passes=falx-ptx-constant-loads %t/call.ll | FileCheck %t/call.ll

;--- apart.ll
; Barriers, what keeps accesses in order, and what the work-item and its group have for themselves, do not count.
; What is in the scope of a store, and what another address space may be, changes.
target triple = "nvptx64-nvidia-cuda"
@shared = internal addrspace(3) global [64 x float] poison
declare void @llvm.experimental.noalias.scope.decl(metadata)
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
define ptx_kernel void @kernel(ptr byval(i64) %f, ptr addrspace(1) %in, ptr addrspace(1) %out, ptr %any) "falx-kind"="2" {
; CHECK-LABEL: @kernel
  %own = alloca float
  call void @llvm.experimental.noalias.scope.decl(metadata !2)
; CHECK: %v = load float, ptr addrspace(1) %in, align 4, !invariant.load ![[#]], !noalias
  %v = load float, ptr addrspace(1) %in, !noalias !2
; CHECK: %old = load float, ptr addrspace(1) %out, align 4, !alias.scope ![[#]]{{$}}
  %old = load float, ptr addrspace(1) %out, !alias.scope !2
; CHECK: %g = load float, ptr %any, align 4, !noalias ![[#]]{{$}}
  %g = load float, ptr %any, !noalias !2
  %sum = fadd float %v, %old
  %both = fadd float %sum, %g
  store float %v, ptr %own
  store float %v, ptr addrspace(3) @shared
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  call void asm sideeffect "", "~{memory}"()
  store float %both, ptr addrspace(1) %out, !alias.scope !2
; CHECK: %w = load float, ptr addrspace(1) %in, align 4, !invariant.load
  %w = load float, ptr addrspace(1) %in, !noalias !2
  %unused = atomicrmw fadd ptr addrspace(1) %out, float %w monotonic, !alias.scope !2
  ret void
}
!0 = distinct !{!0}
!1 = distinct !{!1, !0}
!2 = !{!1}

;--- unknown-store.ll
; Another store may meet it.
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @kernel(ptr byval(i64) %f, ptr addrspace(1) %in, ptr addrspace(1) %out) "falx-kind"="2" {
; CHECK-NOT: !invariant.load
  %v = load float, ptr addrspace(1) %in, !noalias !2
  store float %v, ptr addrspace(1) %out, !alias.scope !2
  %next = getelementptr float, ptr addrspace(1) %in, i64 1
  store float %v, ptr addrspace(1) %next
  ret void
}
!0 = distinct !{!0}
!1 = distinct !{!1, !0}
!2 = !{!1}

;--- loop.ll
; The next iteration may write through the pointer that this one reads through.
target triple = "nvptx64-nvidia-cuda"
declare void @llvm.experimental.noalias.scope.decl(metadata)
define ptx_kernel void @kernel(ptr byval(i64) %f, ptr addrspace(1) %a, ptr addrspace(1) %b, i1 %again) "falx-kind"="2" {
entry:
  br label %loop
; CHECK-NOT: !invariant.load
loop:
  %in = phi ptr addrspace(1) [ %a, %entry ], [ %out, %loop ]
  %out = phi ptr addrspace(1) [ %b, %entry ], [ %in, %loop ]
  call void @llvm.experimental.noalias.scope.decl(metadata !2)
  %v = load float, ptr addrspace(1) %in, !noalias !2
  store float %v, ptr addrspace(1) %out, !alias.scope !2
  br i1 %again, label %loop, label %end
end:
  ret void
}
!0 = distinct !{!0}
!1 = distinct !{!1, !0}
!2 = !{!1}

;--- order.ll
; A kernel that orders its accesses waits for what others write.
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @kernel(ptr byval(i64) %f, ptr addrspace(1) %in, ptr addrspace(1) %out) "falx-kind"="2" {
; CHECK-NOT: !invariant.load
  %flag = load atomic i32, ptr addrspace(1) %out acquire, align 4, !alias.scope !2
  %v = load float, ptr addrspace(1) %in, !noalias !2
  store float %v, ptr addrspace(1) %out, !alias.scope !2
  ret void
}
!0 = distinct !{!0}
!1 = distinct !{!1, !0}
!2 = !{!1}

;--- membar.ll
; So does one with the fences of CUDA's built-in functions.
target triple = "nvptx64-nvidia-cuda"
declare void @llvm.nvvm.membar.gl()
define ptx_kernel void @kernel(ptr byval(i64) %f, ptr addrspace(1) %in, ptr addrspace(1) %out) "falx-kind"="2" {
; CHECK-NOT: !invariant.load
  call void @llvm.nvvm.membar.gl()
  %v = load float, ptr addrspace(1) %in, !noalias !2
  store float %v, ptr addrspace(1) %out, !alias.scope !2
  ret void
}
!0 = distinct !{!0}
!1 = distinct !{!1, !0}
!2 = !{!1}

;--- call.ll
; Nobody knows what a function writes.
target triple = "nvptx64-nvidia-cuda"
declare void @function()
define ptx_kernel void @kernel(ptr byval(i64) %f, ptr addrspace(1) %in, ptr addrspace(1) %out) "falx-kind"="2" {
; CHECK-NOT: !invariant.load
  %v = load float, ptr addrspace(1) %in, !noalias !2
  call void @function()
  store float %v, ptr addrspace(1) %out, !alias.scope !2
  ret void
}
!0 = distinct !{!0}
!1 = distinct !{!1, !0}
!2 = !{!1}
