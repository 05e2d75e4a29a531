; A barrier behind another one goes if memory was not touched between them, and the other one is of the work-group or of the same
; members of the sub-group. Shuffles touch no memory, nor does what keeps the compiler from moving accesses.
; RUN: falx-opt --passes=falx-ptx-redundant-barriers -S %s | FileCheck %s

; CHECK-LABEL: @kernel(
; CHECK: store i32 1
; CHECK-NEXT: call void @llvm.nvvm.bar.warp.sync
; CHECK-NEXT: call void asm sideeffect "", "~{memory}"()
; CHECK-NEXT: %x = call i32 @llvm.nvvm.shfl.sync.bfly.i32
; CHECK-NEXT: call void asm sideeffect "", "~{memory}"()
; CHECK-NEXT: %y = call i32 @llvm.nvvm.shfl.sync.bfly.i32
; CHECK-NEXT: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
; CHECK-NEXT: %n = load i32, ptr %f, align 4, !invariant.load
; CHECK-NEXT: call void asm sideeffect "red.global.add.u32
; CHECK-NEXT: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
; CHECK-NEXT: %any = call i1 @llvm.nvvm.barrier.cta.red.or.aligned.all(i32 0, i1 true)
; CHECK-NEXT: ret void
declare void @llvm.nvvm.bar.warp.sync(i32)
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare i1 @llvm.nvvm.barrier.cta.red.or.aligned.all(i32, i1)
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)
define void @kernel(ptr %f, ptr %p, i32 %v) {
  store i32 1, ptr %p
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  call void asm sideeffect "", "~{memory}"()
  %x = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %v, i32 16, i32 31)
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  call void asm sideeffect "", "~{memory}"()
  %y = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %x, i32 8, i32 31)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %n = load i32, ptr %f, !invariant.load !{}
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  call void @llvm.nvvm.bar.warp.sync(i32 %n)
  call void asm sideeffect "red.global.add.u32 [$0], $1;", "l,r,~{memory}"(ptr %p, i32 %y)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %any = call i1 @llvm.nvvm.barrier.cta.red.or.aligned.all(i32 0, i1 true)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  ret void
}

; Where some members of a sub-group have met, others have not.
; CHECK-LABEL: @members(
; CHECK: store i32 1
; CHECK-NEXT: call void @llvm.nvvm.bar.warp.sync(i32 %members)
; CHECK-NEXT: call void @llvm.nvvm.bar.warp.sync(i32 -1)
; CHECK-NEXT: load i32
define void @members(ptr %p, i32 %members) {
  store i32 1, ptr %p
  call void @llvm.nvvm.bar.warp.sync(i32 %members)
  call void @llvm.nvvm.bar.warp.sync(i32 %members)
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  %x = load i32, ptr %p
  ret void
}
