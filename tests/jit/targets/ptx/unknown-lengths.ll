; Loops of unknown length that load, or compute what takes as long, get four copies, or two, or none, as they are
; long; others none.
; RUN: falx-opt --passes=falx-ptx-unrolling -S %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

declare float @llvm.nvvm.sqrt.approx.f(float)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; CHECK-LABEL: @fifty_instructions
; CHECK: br i1 %done, label %end, label %loop, !llvm.loop [[FOUR:![0-9]+]]
define float @fifty_instructions(ptr %x, i64 %n, float %c) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %p = getelementptr float, ptr %x, i64 %i
  %v = load float, ptr %p
  %t0 = fadd float %v, %c
  %t1 = fmul float %t0, %c
  %t2 = fmul float %t1, %c
  %t3 = fmul float %t2, %c
  %t4 = fmul float %t3, %c
  %t5 = fmul float %t4, %c
  %t6 = fmul float %t5, %c
  %t7 = fmul float %t6, %c
  %t8 = fmul float %t7, %c
  %t9 = fmul float %t8, %c
  %t10 = fmul float %t9, %c
  %t11 = fmul float %t10, %c
  %t12 = fmul float %t11, %c
  %t13 = fmul float %t12, %c
  %t14 = fmul float %t13, %c
  %t15 = fmul float %t14, %c
  %t16 = fmul float %t15, %c
  %t17 = fmul float %t16, %c
  %t18 = fmul float %t17, %c
  %t19 = fmul float %t18, %c
  %t20 = fmul float %t19, %c
  %t21 = fmul float %t20, %c
  %t22 = fmul float %t21, %c
  %t23 = fmul float %t22, %c
  %t24 = fmul float %t23, %c
  %t25 = fmul float %t24, %c
  %t26 = fmul float %t25, %c
  %t27 = fmul float %t26, %c
  %t28 = fmul float %t27, %c
  %t29 = fmul float %t28, %c
  %t30 = fmul float %t29, %c
  %t31 = fmul float %t30, %c
  %t32 = fmul float %t31, %c
  %t33 = fmul float %t32, %c
  %t34 = fmul float %t33, %c
  %t35 = fmul float %t34, %c
  %t36 = fmul float %t35, %c
  %t37 = fmul float %t36, %c
  %t38 = fmul float %t37, %c
  %t39 = fmul float %t38, %c
  %t40 = fmul float %t39, %c
  %t41 = fmul float %t40, %c
  %t42 = fmul float %t41, %c
  %t43 = fmul float %t42, %c
  %more = fadd float %sum, %t43
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop
end:
  ret float %more
}

; CHECK-LABEL: @fifty_one
; CHECK: br i1 %done, label %end, label %loop, !llvm.loop [[TWO:![0-9]+]]
define float @fifty_one(ptr %x, i64 %n, float %c) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %p = getelementptr float, ptr %x, i64 %i
  %v = load float, ptr %p
  %t0 = fadd float %v, %c
  %t1 = fmul float %t0, %c
  %t2 = fmul float %t1, %c
  %t3 = fmul float %t2, %c
  %t4 = fmul float %t3, %c
  %t5 = fmul float %t4, %c
  %t6 = fmul float %t5, %c
  %t7 = fmul float %t6, %c
  %t8 = fmul float %t7, %c
  %t9 = fmul float %t8, %c
  %t10 = fmul float %t9, %c
  %t11 = fmul float %t10, %c
  %t12 = fmul float %t11, %c
  %t13 = fmul float %t12, %c
  %t14 = fmul float %t13, %c
  %t15 = fmul float %t14, %c
  %t16 = fmul float %t15, %c
  %t17 = fmul float %t16, %c
  %t18 = fmul float %t17, %c
  %t19 = fmul float %t18, %c
  %t20 = fmul float %t19, %c
  %t21 = fmul float %t20, %c
  %t22 = fmul float %t21, %c
  %t23 = fmul float %t22, %c
  %t24 = fmul float %t23, %c
  %t25 = fmul float %t24, %c
  %t26 = fmul float %t25, %c
  %t27 = fmul float %t26, %c
  %t28 = fmul float %t27, %c
  %t29 = fmul float %t28, %c
  %t30 = fmul float %t29, %c
  %t31 = fmul float %t30, %c
  %t32 = fmul float %t31, %c
  %t33 = fmul float %t32, %c
  %t34 = fmul float %t33, %c
  %t35 = fmul float %t34, %c
  %t36 = fmul float %t35, %c
  %t37 = fmul float %t36, %c
  %t38 = fmul float %t37, %c
  %t39 = fmul float %t38, %c
  %t40 = fmul float %t39, %c
  %t41 = fmul float %t40, %c
  %t42 = fmul float %t41, %c
  %t43 = fmul float %t42, %c
  %t44 = fmul float %t43, %c
  %more = fadd float %sum, %t44
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop
end:
  ret float %more
}

; Two copies leave a pass over where work-items share the iterations.
; CHECK-LABEL: @shared_iterations
; CHECK: br i1 %more_of_them, label %loop, label %end, !llvm.loop [[SHARED:![0-9]+]]
define float @shared_iterations(ptr %x, i64 %n, float %c) {
entry:
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = and i32 %lane, 31
  %first = zext nneg i32 %own to i64
  br label %loop
loop:
  %i = phi i64 [ %first, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %p = getelementptr float, ptr %x, i64 %i
  %v = load float, ptr %p
  %t0 = fadd float %v, %c
  %t1 = fmul float %t0, %c
  %t2 = fmul float %t1, %c
  %t3 = fmul float %t2, %c
  %t4 = fmul float %t3, %c
  %t5 = fmul float %t4, %c
  %t6 = fmul float %t5, %c
  %t7 = fmul float %t6, %c
  %t8 = fmul float %t7, %c
  %t9 = fmul float %t8, %c
  %t10 = fmul float %t9, %c
  %t11 = fmul float %t10, %c
  %t12 = fmul float %t11, %c
  %t13 = fmul float %t12, %c
  %t14 = fmul float %t13, %c
  %t15 = fmul float %t14, %c
  %t16 = fmul float %t15, %c
  %t17 = fmul float %t16, %c
  %t18 = fmul float %t17, %c
  %t19 = fmul float %t18, %c
  %t20 = fmul float %t19, %c
  %t21 = fmul float %t20, %c
  %t22 = fmul float %t21, %c
  %t23 = fmul float %t22, %c
  %t24 = fmul float %t23, %c
  %t25 = fmul float %t24, %c
  %t26 = fmul float %t25, %c
  %t27 = fmul float %t26, %c
  %t28 = fmul float %t27, %c
  %t29 = fmul float %t28, %c
  %t30 = fmul float %t29, %c
  %t31 = fmul float %t30, %c
  %t32 = fmul float %t31, %c
  %t33 = fmul float %t32, %c
  %t34 = fmul float %t33, %c
  %t35 = fmul float %t34, %c
  %t36 = fmul float %t35, %c
  %t37 = fmul float %t36, %c
  %t38 = fmul float %t37, %c
  %t39 = fmul float %t38, %c
  %t40 = fmul float %t39, %c
  %t41 = fmul float %t40, %c
  %t42 = fmul float %t41, %c
  %t43 = fmul float %t42, %c
  %t44 = fmul float %t43, %c
  %more = fadd float %sum, %t44
  %next = add nuw nsw i64 %i, 32
  %more_of_them = icmp slt i64 %next, %n
  br i1 %more_of_them, label %loop, label %end
end:
  ret float %more
}

; CHECK-LABEL: @seventy_six
; CHECK: br i1 %done, label %end, label %loop, !llvm.loop [[LONG:![0-9]+]]
define float @seventy_six(ptr %x, i64 %n, float %c) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %p = getelementptr float, ptr %x, i64 %i
  %v = load float, ptr %p
  %t0 = fadd float %v, %c
  %t1 = fmul float %t0, %c
  %t2 = fmul float %t1, %c
  %t3 = fmul float %t2, %c
  %t4 = fmul float %t3, %c
  %t5 = fmul float %t4, %c
  %t6 = fmul float %t5, %c
  %t7 = fmul float %t6, %c
  %t8 = fmul float %t7, %c
  %t9 = fmul float %t8, %c
  %t10 = fmul float %t9, %c
  %t11 = fmul float %t10, %c
  %t12 = fmul float %t11, %c
  %t13 = fmul float %t12, %c
  %t14 = fmul float %t13, %c
  %t15 = fmul float %t14, %c
  %t16 = fmul float %t15, %c
  %t17 = fmul float %t16, %c
  %t18 = fmul float %t17, %c
  %t19 = fmul float %t18, %c
  %t20 = fmul float %t19, %c
  %t21 = fmul float %t20, %c
  %t22 = fmul float %t21, %c
  %t23 = fmul float %t22, %c
  %t24 = fmul float %t23, %c
  %t25 = fmul float %t24, %c
  %t26 = fmul float %t25, %c
  %t27 = fmul float %t26, %c
  %t28 = fmul float %t27, %c
  %t29 = fmul float %t28, %c
  %t30 = fmul float %t29, %c
  %t31 = fmul float %t30, %c
  %t32 = fmul float %t31, %c
  %t33 = fmul float %t32, %c
  %t34 = fmul float %t33, %c
  %t35 = fmul float %t34, %c
  %t36 = fmul float %t35, %c
  %t37 = fmul float %t36, %c
  %t38 = fmul float %t37, %c
  %t39 = fmul float %t38, %c
  %t40 = fmul float %t39, %c
  %t41 = fmul float %t40, %c
  %t42 = fmul float %t41, %c
  %t43 = fmul float %t42, %c
  %t44 = fmul float %t43, %c
  %t45 = fmul float %t44, %c
  %t46 = fmul float %t45, %c
  %t47 = fmul float %t46, %c
  %t48 = fmul float %t47, %c
  %t49 = fmul float %t48, %c
  %t50 = fmul float %t49, %c
  %t51 = fmul float %t50, %c
  %t52 = fmul float %t51, %c
  %t53 = fmul float %t52, %c
  %t54 = fmul float %t53, %c
  %t55 = fmul float %t54, %c
  %t56 = fmul float %t55, %c
  %t57 = fmul float %t56, %c
  %t58 = fmul float %t57, %c
  %t59 = fmul float %t58, %c
  %t60 = fmul float %t59, %c
  %t61 = fmul float %t60, %c
  %t62 = fmul float %t61, %c
  %t63 = fmul float %t62, %c
  %t64 = fmul float %t63, %c
  %t65 = fmul float %t64, %c
  %t66 = fmul float %t65, %c
  %t67 = fmul float %t66, %c
  %t68 = fmul float %t67, %c
  %t69 = fmul float %t68, %c
  %more = fadd float %sum, %t69
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop
end:
  ret float %more
}

; What is added to local memory is a loop of the assembler's, past which no load moves.
; CHECK-LABEL: @local_sums
; CHECK: br i1 %done, label %end, label %loop, !llvm.loop [[SUMS:![0-9]+]]
define void @local_sums(ptr addrspace(1) %x, ptr addrspace(3) %sums, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr float, ptr addrspace(1) %x, i64 %i
  %v = load float, ptr addrspace(1) %p
  %q = getelementptr float, ptr addrspace(3) %sums, i64 %i
  %old = atomicrmw fadd ptr addrspace(3) %q, float %v monotonic
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop
end:
  ret void
}

; CHECK-LABEL: @arithmetic
; CHECK: br i1 %done, label %end, label %loop, !llvm.loop [[NONE:![0-9]+]]
define float @arithmetic(ptr %x, i64 %n, float %c) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %v = uitofp i64 %i to float
  %t0 = fadd float %v, %c
  %t1 = fmul float %t0, %c
  %t2 = fmul float %t1, %c
  %t3 = fmul float %t2, %c
  %more = fadd float %sum, %t3
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop
end:
  ret float %more
}

; Roots, quotients and approximations take as long as loads do.
; CHECK-LABEL: @roots
; CHECK: br i1 %done, label %end, label %loop, !llvm.loop [[ROOTS:![0-9]+]]
define float @roots(i64 %n, float %c) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %v = uitofp i64 %i to float
  %root = call float @llvm.nvvm.sqrt.approx.f(float %v)
  %more = fadd float %sum, %root
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop
end:
  ret float %more
}

; CHECK-LABEL: @quotients
; CHECK: br i1 %done, label %end, label %loop, !llvm.loop [[QUOTIENTS:![0-9]+]]
define i64 @quotients(i64 %n, i64 %d) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i64 [ 0, %entry ], [ %more, %loop ]
  %v = urem i64 %i, %d
  %more = add i64 %sum, %v
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop
end:
  ret i64 %more
}

; By a constant it is a product.
; CHECK-LABEL: @constant_quotients
; CHECK: br i1 %done, label %end, label %loop, !llvm.loop [[PRODUCTS:![0-9]+]]
define i64 @constant_quotients(i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i64 [ 0, %entry ], [ %more, %loop ]
  %v = udiv i64 %i, 7
  %more = add i64 %sum, %v
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop
end:
  ret i64 %more
}

; CHECK-DAG: [[ROOTS]] = distinct !{[[ROOTS]], [[ANY:![0-9]+]], [[COUNT4:![0-9]+]]}
; CHECK-DAG: [[QUOTIENTS]] = distinct !{[[QUOTIENTS]], [[ANY]], [[COUNT4]]}
; CHECK-DAG: [[PRODUCTS]] = distinct !{[[PRODUCTS]], [[ANY]]}
; CHECK-DAG: [[FOUR]] = distinct !{[[FOUR]], [[ANY]], [[COUNT4]]}
; CHECK-DAG: [[COUNT4]] = !{!"llvm.loop.unroll.count", i32 4}
; CHECK-DAG: [[TWO]] = distinct !{[[TWO]], [[ANY]], [[COUNT2:![0-9]+]]}
; CHECK-DAG: [[COUNT2]] = !{!"llvm.loop.unroll.count", i32 2}
; CHECK-DAG: [[LONG]] = distinct !{[[LONG]], [[ANY]]}
; CHECK-DAG: [[SUMS]] = distinct !{[[SUMS]], [[ANY]]}
; CHECK-DAG: [[NONE]] = distinct !{[[NONE]], [[ANY]]}
; CHECK-DAG: [[SHARED]] = distinct !{[[SHARED]], [[ANY]]}
