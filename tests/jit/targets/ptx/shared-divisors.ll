; Quotients by the same number have one reciprocal, and those that need not wait for each other one jump.
; RUN: falx-opt --passes=falx-ptx-shared-divisors,verify %s | FileCheck %s

; Three quotients of float, of which one dividend is loaded in between.
define void @floats(ptr addrspace(1) %to, ptr addrspace(1) %at, float %a, float %b, float %n) {
; CHECK-LABEL: @floats
; CHECK-NEXT: %c = load float, ptr addrspace(1) %at
; CHECK-NEXT: %[[MINUS:.*]] = fneg float %n
; CHECK-NEXT: %[[ESTIMATE:.*]] = call float @llvm.nvvm.rcp.approx.ftz.f(float %n)
; CHECK-NEXT: %[[ERROR:.*]] = call float @llvm.fma.f32(float %[[MINUS]], float %[[ESTIMATE]], float 1.000000e+00)
; CHECK-NEXT: %[[Y:.*]] = call float @llvm.fma.f32(float %[[ESTIMATE]], float %[[ERROR]], float %[[ESTIMATE]])
; CHECK-NEXT: %[[SIZE:.*]] = call float @llvm.nvvm.fabs.f32(float %n)
; CHECK-NEXT: %[[LEAST:.*]] = fcmp oge float %[[SIZE]], 0x3C10000000000000
; CHECK-NEXT: %[[MOST:.*]] = fcmp ole float %[[SIZE]], 0x4210000000000000
; CHECK-NEXT: %[[USUAL:.*]] = and i1 %[[LEAST]], %[[MOST]]
; CHECK-NEXT: %[[POSITIVE:.*]] = fcmp ogt float %n, 0.000000e+00
; CHECK-NEXT: %[[GUESS:.*]] = fmul float %a, %[[Y]]
; CHECK-NEXT: %[[MINUS_A:.*]] = fneg float %a
; CHECK-NEXT: %[[REST:.*]] = call float @llvm.fma.f32(float %n, float %[[GUESS]], float %[[MINUS_A]])
; CHECK-NEXT: %[[MINUS_Y:.*]] = fneg float %[[Y]]
; CHECK-NEXT: %[[P:.*]] = call float @llvm.fma.f32(float %[[MINUS_Y]], float %[[REST]], float %[[GUESS]])
; CHECK-NEXT: %[[ZERO:.*]] = fcmp oeq float %a, 0.000000e+00
; CHECK-NEXT: %[[RIGHT_ZERO:.*]] = and i1 %[[ZERO]], %[[POSITIVE]]
; CHECK-NEXT: %[[A_SIZE:.*]] = call float @llvm.nvvm.fabs.f32(float %a)
; CHECK-NEXT: %[[A_LEAST:.*]] = fcmp oge float %[[A_SIZE]], 0x3A50000000000000
; CHECK-NEXT: %[[ENOUGH:.*]] = or i1 %[[RIGHT_ZERO]], %[[A_LEAST]]
; CHECK-NEXT: %[[A_MOST:.*]] = fcmp ole float %[[A_SIZE]], 0x43D0000000000000
; CHECK-NEXT: %[[A:.*]] = and i1 %[[ENOUGH]], %[[A_MOST]]
; CHECK-NOT: rcp
; CHECK: and i1 %[[USUAL]], %[[A]]
; CHECK: %[[ALL:.*]] = freeze i1
; CHECK-NEXT: br i1 %[[ALL]], label %[[BEHIND:.*]], label %rare, !prof
; CHECK: rare:
; CHECK-NEXT: %[[A_RARE:.*]] = call float asm "", "=f,0"(float %a)
; CHECK-NEXT: %[[P_RARE:.*]] = fdiv float %[[A_RARE]], %n
; CHECK-NEXT: %[[B_RARE:.*]] = call float asm "", "=f,0"(float %b)
; CHECK-NEXT: %[[Q_RARE:.*]] = fdiv nsz float %[[B_RARE]], %n
; CHECK-NEXT: %[[C_RARE:.*]] = call float asm "", "=f,0"(float %c)
; CHECK-NEXT: %[[R_RARE:.*]] = fdiv float %[[C_RARE]], %n
; CHECK-NEXT: br label %[[BEHIND]]
; CHECK: [[BEHIND]]:
; CHECK-NEXT: %p = phi float [ %[[P]], %0 ], [ %[[P_RARE]], %rare ]
; CHECK-NEXT: %q = phi float [ %{{.*}}, %0 ], [ %[[Q_RARE]], %rare ]
; CHECK-NEXT: %r = phi float [ %{{.*}}, %0 ], [ %[[R_RARE]], %rare ]
; CHECK-NEXT: %s = fadd float %p, %q
  %p = fdiv float %a, %n
  %q = fdiv nsz float %b, %n
  %s = fadd float %p, %q
  %c = load float, ptr addrspace(1) %at
  %r = fdiv float %c, %n
  %t = fadd float %s, %r
  store float %t, ptr addrspace(1) %to
  ret void
}

; Two of double are enough; upper halves are compared, as floats.
define double @doubles(double %a, double %b, double %n) {
; CHECK-LABEL: @doubles
; CHECK: call double @llvm.nvvm.rcp.approx.ftz.d(double %n)
; CHECK: or i64 %{{.*}}, 1
; CHECK-COUNT-4: call double @llvm.fma.f64
; CHECK: lshr i64 %{{.*}}, 32
; CHECK: fcmp oge float
; CHECK: icmp eq i64 %{{.*}}, -9223372036854775808
; CHECK: rare:
; CHECK-COUNT-2: fdiv double
  %p = fdiv double %a, %n
  %q = fdiv double %b, %n
  %s = fadd double %p, %q
  ret double %s
}

; Two of float are not, nor quotients by different numbers and those that may be off.
define float @few(float %a, float %b, float %n, double %d, double %m, double %k) {
; CHECK-LABEL: @few
; CHECK-NOT: @llvm.nvvm.rcp
; CHECK: ret
  %p = fdiv float %a, %n
  %q = fdiv float %b, %n
  %u = fdiv double %d, %m
  %v = fdiv double %d, %k
  %x = fdiv arcp double %d, %m
  %y = fdiv afn float %a, %n
  %z = fdiv float %y, %n, !fpmath !0
  %s = fadd float %p, %q
  %s1 = fadd double %u, %v
  %s4 = fadd double %s1, %x
  %s5 = fptrunc double %s4 to float
  %s6 = fadd float %s, %z
  %s7 = fadd float %s6, %s5
  ret float %s7
}

; Of constants, whose reciprocals are constants, one is enough of double; negative ones divide the negated dividend, so that zeros
; are not rare. What is not of usual size is left.
define double @constants(double %d, float %a, double %e) {
; CHECK-LABEL: @constants
; CHECK-NEXT: %[[MINUS:.*]] = fneg double %d
; CHECK-NEXT: %[[GUESS:.*]] = fmul double %[[MINUS]], 0x3FD5555555555555
; CHECK-NEXT: %[[D:.*]] = fneg double %[[MINUS]]
; CHECK-NEXT: %[[REST:.*]] = call double @llvm.fma.f64(double 3.000000e+00, double %[[GUESS]], double %[[D]])
; CHECK-NEXT: call double @llvm.fma.f64(double 0xBFD5555555555555, double %[[REST]], double %[[GUESS]])
; CHECK-NOT: @llvm.nvvm.rcp
; CHECK: rare:
; CHECK: fdiv double %{{.*}}, -3.000000e+00
; CHECK: %f = fdiv float %a, 3.000000e+00
; CHECK-NEXT: %t = fdiv double %e, 1.000000e+300
  %q = fdiv double %d, -3.0
  %f = fdiv float %a, 3.0
  %t = fdiv double %e, 1.0e300
  %g = fpext float %f to double
  %s = fadd double %q, %g
  %s1 = fadd double %s, %t
  ret double %s1
}

; One is enough where loops do not change the divisor, whose reciprocal is in front of all of them.
define void @loops(ptr addrspace(1) %at, ptr addrspace(1) %by, i64 %rows, i64 %columns) {
; CHECK-LABEL: @loops
; CHECK: entry:
; CHECK-NEXT: %n = load float
; CHECK: rcp
; CHECK: br label %outer
; CHECK: inner:
; CHECK-NOT: @llvm.nvvm.rcp
; CHECK: rare:
; CHECK-NEXT: asm
; CHECK-NEXT: fdiv
; CHECK-NOT: @llvm.nvvm.rcp
; CHECK: ret void
entry:
  %n = load float, ptr addrspace(1) %by
  br label %outer
outer:
  %row = phi i64 [ 0, %entry ], [ %next_row, %end ]
  %first = getelementptr float, ptr addrspace(1) %at, i64 %row
  br label %inner
inner:
  %i = phi i64 [ 0, %outer ], [ %next, %inner ]
  %here = getelementptr float, ptr addrspace(1) %first, i64 %i
  %x = load float, ptr addrspace(1) %here
  %q = fdiv float %x, %n
  store float %q, ptr addrspace(1) %here
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %columns
  br i1 %more, label %inner, label %end
end:
  %next_row = add i64 %row, 1
  %again = icmp ult i64 %next_row, %rows
  br i1 %again, label %outer, label %done
done:
  ret void
}

; A dividend that is read behind a write, or that is computed from a quotient, waits for it: the reciprocal is there
; when it comes.
define void @waiting(ptr addrspace(1) %to, ptr addrspace(1) %at, double %a, double %b, double %n) {
; CHECK-LABEL: @waiting
; CHECK: rcp
; CHECK: rare:
; CHECK-NEXT: asm "", "=d,0"(double %a)
; CHECK-NEXT: fdiv double
; CHECK-NEXT: asm "", "=d,0"(double %b)
; CHECK-NEXT: fdiv double
; CHECK: store double %p
; CHECK-NEXT: %c = load double
; CHECK-NEXT: %minus = fneg double %q
; CHECK-NOT: @llvm.nvvm.rcp
; CHECK: rare1:
; CHECK-NEXT: (double %c)
; CHECK-NEXT: fdiv double %{{.*}}, %n
; CHECK-NEXT: (double %minus)
; CHECK-NEXT: fdiv double %{{.*}}, %n
; CHECK: ret
  %p = fdiv double %a, %n
  %q = fdiv double %b, %n
  store double %p, ptr addrspace(1) %to
  %c = load double, ptr addrspace(1) %at
  %r = fdiv double %c, %n
  %minus = fneg double %q
  %t = fdiv double %minus, %n
  %s = fadd double %r, %t
  store double %s, ptr addrspace(1) %to
  ret void
}

; The same divisor on both sides of a call that may not return is two blocks' in effect.
declare void @somewhere()
define double @calls(double %a, ptr addrspace(1) %at, double %n) {
; CHECK-LABEL: @calls
; CHECK-NOT: @llvm.nvvm.rcp
; CHECK: ret
  %p = fdiv double %a, %n
  call void @somewhere()
  %b = load double, ptr addrspace(1) %at
  %q = fdiv double %b, %n
  %s = fadd double %p, %q
  ret double %s
}

; What code generation joins with its user within a block goes along: products of sums, and extensions.
define double @joined(ptr addrspace(1) %at, double %a, double %b, double %n, i32 %i) {
; CHECK-LABEL: @joined
; CHECK-NOT: fmul contract
; CHECK: rare:
; CHECK: phi
; CHECK: phi
; CHECK-DAG: %[[WIDE:.*]] = zext i32 %i to i64
; CHECK-DAG: %[[SQUARE:.*]] = fmul contract double %a, %a
; CHECK: fadd contract double %p, %[[SQUARE]]
; CHECK: getelementptr double, ptr addrspace(1) %at, i64 %[[WIDE]]
  %square = fmul contract double %a, %a
  %wide = zext i32 %i to i64
  %p = fdiv double %a, %n
  %q = fdiv double %b, %n
  %s = fadd contract double %p, %square
  %here = getelementptr double, ptr addrspace(1) %at, i64 %wide
  store double %q, ptr addrspace(1) %here
  ret double %s
}

!0 = !{float 2.5}
