; Loads come before operations of which the assembler makes a jump.
; RUN: falx-opt --mtriple=nvptx64-nvidia-cuda --passes=falx-ptx-load-hoisting %s | FileCheck %s

; With the integer arithmetic of their addresses, in the order in which they were.
define void @quotients(ptr addrspace(1) %a, ptr addrspace(1) noalias %to, double %n, i32 %i) {
; CHECK-LABEL: @quotients
; CHECK-NEXT: %x = load double
; CHECK-NEXT: %j = add nsw i32 %i, 1
; CHECK-NEXT: %wide = sext i32 %j to i64
; CHECK-NEXT: %b = getelementptr double
; CHECK-NEXT: %y = load double
; CHECK-NEXT: %p = fdiv double %x, %n
; CHECK-NEXT: %q = fdiv double %y, %n
  %x = load double, ptr addrspace(1) %a
  %p = fdiv double %x, %n
  %j = add nsw i32 %i, 1
  %wide = sext i32 %j to i64
  %b = getelementptr double, ptr addrspace(1) %a, i64 %wide
  %y = load double, ptr addrspace(1) %b
  %q = fdiv double %y, %n
  %sum = fadd double %p, %q
  store double %sum, ptr addrspace(1) %to
  ret void
}

; Roots, quotients of float and divisions of i64, unless they are approximations or of constants.
define float @others(ptr addrspace(1) %a, ptr addrspace(1) %b, float %x, i64 %n, i64 %m) {
; CHECK-LABEL: @others
; CHECK-NEXT: %x1 = load float, ptr addrspace(1) %a
; CHECK-NEXT: %root = call float @llvm.sqrt
; CHECK-NEXT: %rest = urem
; CHECK-NEXT: br
; CHECK: %i1 = load i64
; CHECK-NEXT: %remainder = urem i64
; CHECK: approximate:
; CHECK-NEXT: %estimate = fdiv afn float
; CHECK-NEXT: %less = fdiv float %estimate, %x, !fpmath
; CHECK-NEXT: %third = udiv i64 %n, 3
; CHECK-NEXT: %t = trunc
; CHECK-NEXT: %short = urem i32
; CHECK-NEXT: %y1 = load float
  %root = call float @llvm.sqrt.f32(float %x)
  %rest = urem i64 %n, %m
  %x1 = load float, ptr addrspace(1) %a
  br label %integers
integers:
  %remainder = urem i64 %n, %rest
  %i1 = load i64, ptr addrspace(1) %b
  br label %approximate
approximate:
  %estimate = fdiv afn float %root, %x1
  %less = fdiv float %estimate, %x, !fpmath !0
  %third = udiv i64 %n, 3
  %t = trunc i64 %third to i32
  %short = urem i32 %t, 7
  %y1 = load float, ptr addrspace(1) %a
  %i2 = add i64 %remainder, %i1
  %f = uitofp i64 %i2 to float
  %g = uitofp i32 %short to float
  %s = fadd float %f, %less
  %s1 = fadd float %g, %y1
  %s2 = fadd float %s, %s1
  ret float %s2
}

; What may be written meanwhile stays; constants do not.
define void @written(ptr addrspace(1) %a, ptr addrspace(1) noalias %b, ptr addrspace(1) %to, double %n) {
; CHECK-LABEL: @written
; CHECK-NEXT: %y = load double, ptr addrspace(1) %b
; CHECK-NEXT: %z = load double, ptr addrspace(1) %to, align 8, !invariant.load
; CHECK-NEXT: %p = fdiv
; CHECK-NEXT: store
; CHECK-NEXT: %x = load double, ptr addrspace(1) %a
  %p = fdiv double 1.0, %n
  store double %p, ptr addrspace(1) %to
  %x = load double, ptr addrspace(1) %a
  %y = load double, ptr addrspace(1) %b
  %z = load double, ptr addrspace(1) %to, !invariant.load !1
  %s = fadd double %x, %y
  %s1 = fadd double %s, %z
  %q = fmul double %s1, %p
  store double %q, ptr addrspace(1) %to
  ret void
}

; Nothing passes what orders memory, waits, or may not go on.
define double @ordered(ptr addrspace(1) %a, double %n) {
; CHECK-LABEL: @ordered
; CHECK-NEXT: %p = fdiv
; CHECK-NEXT: fence
; CHECK-NEXT: load
; CHECK: %p1 = fdiv
; CHECK-NEXT: call void @llvm.nvvm.barrier
; CHECK-NEXT: load
; CHECK: %p2 = fdiv
; CHECK-NEXT: call void asm
; CHECK-NEXT: load
; CHECK: %p3 = fdiv
; CHECK-NEXT: load atomic
; CHECK-NEXT: load
; CHECK: %p4 = fdiv
; CHECK-NEXT: call double @may_end
; CHECK-NEXT: load
  %p = fdiv double 1.0, %n
  fence acquire
  %x = load double, ptr addrspace(1) %a
  br label %b1
b1:
  %p1 = fdiv double %p, %x
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %x1 = load double, ptr addrspace(1) %a
  br label %b2
b2:
  %p2 = fdiv double %p1, %x1
  call void asm sideeffect "", "~{memory}"()
  %x2 = load double, ptr addrspace(1) %a
  br label %b3
b3:
  %p3 = fdiv double %p2, %x2
  %flag = load atomic i32, ptr addrspace(1) %a acquire, align 4
  %x3 = load double, ptr addrspace(1) %a
  br label %b4
b4:
  %p4 = fdiv double %p3, %x3
  %e = call double @may_end(double %p4) readnone
  %x4 = load double, ptr addrspace(1) %a
  %s = fadd double %x4, %e
  ret double %s
}

; Nor what depends on the result, directly or by a load that stays, nor volatile loads.
define double @dependent(ptr addrspace(1) %a, ptr addrspace(1) %b, double %n) {
; CHECK-LABEL: @dependent
; CHECK-NEXT: %p = fdiv
; CHECK-NEXT: %i = fptosi
; CHECK-NEXT: %c = getelementptr
; CHECK-NEXT: %j = load i64, ptr addrspace(1) %c
; CHECK-NEXT: %d = getelementptr
; CHECK-NEXT: %x = load double, ptr addrspace(1) %d
; CHECK-NEXT: load volatile
  %p = fdiv double 1.0, %n
  %i = fptosi double %p to i64
  %c = getelementptr i64, ptr addrspace(1) %a, i64 %i
  %j = load i64, ptr addrspace(1) %c
  %d = getelementptr double, ptr addrspace(1) %b, i64 %j
  %x = load double, ptr addrspace(1) %d
  %v = load volatile double, ptr addrspace(1) %a
  %s = fadd double %x, %v
  ret double %s
}

; A chain of loads comes early whole.
define double @chain(ptr addrspace(1) %a, ptr addrspace(1) %b, double %n) {
; CHECK-LABEL: @chain
; CHECK-NEXT: %j = load i64
; CHECK-NEXT: %d = getelementptr
; CHECK-NEXT: %x = load double
; CHECK-NEXT: %p = fdiv
  %p = fdiv double 1.0, %n
  %j = load i64, ptr addrspace(1) %a
  %d = getelementptr double, ptr addrspace(1) %b, i64 %j
  %x = load double, ptr addrspace(1) %d
  %s = fadd double %x, %p
  ret double %s
}

; No more than eight registers of what is loaded wait for a quotient: what was loaded before counts, too.
define double @many(ptr addrspace(1) %a, double %n) {
; CHECK-LABEL: @many
; CHECK-NEXT: %x0 = load double
; CHECK-NEXT: %x1 = load <2 x double>
; CHECK-NEXT: %x2 = load i32
; CHECK-NEXT: %p = fdiv
; CHECK-NEXT: %q = fmul
; CHECK-NEXT: %x3 = load <2 x double>
  %x0 = load double, ptr addrspace(1) %a
  %p = fdiv double 1.0, %n
  %q = fmul double %p, %x0
  %x1 = load <2 x double>, ptr addrspace(1) %a
  %x3 = load <2 x double>, ptr addrspace(1) %a
  %x2 = load i32, ptr addrspace(1) %a
  %y1 = extractelement <2 x double> %x1, i32 0
  %y2 = uitofp i32 %x2 to double
  %y3 = extractelement <2 x double> %x3, i32 1
  %s1 = fadd double %y1, %y2
  %s2 = fadd double %s1, %y3
  %s3 = fadd double %s2, %q
  ret double %s3
}

; Local memory and what the launch passes are near; the latter comes along where an address needs it. What is
; written behind a load does not matter.
define ptx_kernel void @near(ptr byval(i8) %object, ptr addrspace(3) %local, ptr addrspace(1) %a, double %n) {
; CHECK-LABEL: @near
; CHECK-NEXT: %item =
; CHECK-NEXT: %member =
; CHECK-NEXT: %i = load i32, ptr %object
; CHECK-NEXT: %own = add
; CHECK-NEXT: %b = getelementptr
; CHECK-NEXT: %x = load double, ptr addrspace(1) %b
; CHECK-NEXT: %p = fdiv
; CHECK-NEXT: %y = load double, ptr addrspace(3) %local
; CHECK-NEXT: %z = load double, ptr %member
  %item = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %member = getelementptr i8, ptr %object, i64 16
  %p = fdiv double 1.0, %n
  %y = load double, ptr addrspace(3) %local
  %z = load double, ptr %member
  %i = load i32, ptr %object
  %own = add i32 %i, %item
  %b = getelementptr double, ptr addrspace(1) %a, i32 %own
  %x = load double, ptr addrspace(1) %b
  %s = fadd double %x, %y
  %s1 = fmul double %z, %p
  %s2 = fadd double %s, %s1
  store double %s2, ptr addrspace(1) %b
  ret void
}

declare float @llvm.sqrt.f32(float)
declare double @may_end(double)
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

!0 = !{float 2.5}
!1 = !{}

; Not what all work-items of a group load, in whatever iteration: other warps have before. By a number of the
; work-item's it is another matter.
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
define ptx_kernel void @uniform(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %to, i32 %n) {
; CHECK-LABEL: @uniform
; CHECK: loop:
; CHECK: %mine = load float
; CHECK: fdiv
; CHECK: %all = load float
; CHECK: ret void
entry:
  %group = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %item = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 1.0, %entry ], [ %more, %loop ]
  %q = fdiv float %sum, 3.0
  %next = add i32 %i, 1
  %row = mul i32 %group, %n
  %index = add i32 %row, %i
  %p = getelementptr float, ptr addrspace(1) %a, i32 %index
  %all = load float, ptr addrspace(1) %p
  %own = add i32 %index, %item
  %o = getelementptr float, ptr addrspace(1) %a, i32 %own
  %mine = load float, ptr addrspace(1) %o
  %both = fadd float %all, %mine
  %more = fadd float %q, %both
  %done = icmp eq i32 %next, %n
  br i1 %done, label %end, label %loop
end:
  store float %more, ptr addrspace(1) %to
  ret void
}
