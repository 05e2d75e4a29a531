; Square roots of float, their reciprocals, reciprocal roots of double and quotients of half without branches.
; RUN: falx-opt --passes=falx-ptx-roots %s | FileCheck %s

; The sum of squares and something positive needs no scaling, and is not zero.
define float @softened(float %x, float %y) {
; CHECK-LABEL: @softened(
; CHECK:         %sum = fadd float
; CHECK-NOT:     select
; CHECK:         %[[ESTIMATE:.*]] = call float @llvm.nvvm.rsqrt.approx.ftz.f(float %sum)
; CHECK-NEXT:    %[[GUESS:.*]] = fmul float %sum, %[[ESTIMATE]]
; CHECK-NEXT:    %[[HALF:.*]] = fmul float %[[ESTIMATE]], 5.000000e-01
; CHECK-NEXT:    %[[MINUS:.*]] = fneg float %[[GUESS]]
; CHECK-NEXT:    %[[ERROR:.*]] = call float @llvm.fma.f32(float %[[MINUS]], float %[[GUESS]], float %sum)
; CHECK-NEXT:    %[[REFINED:.*]] = call float @llvm.fma.f32(float %[[ERROR]], float %[[HALF]], float %[[GUESS]])
; CHECK:         %[[SPECIAL:.*]] = fcmp oeq float %sum, 0x7FF0000000000000
; CHECK-NEXT:    %[[ROOT:.*]] = select i1 %[[SPECIAL]], float %sum, float %[[REFINED]]
; CHECK-NEXT:    %[[RECIPROCAL:.*]] = call float @llvm.nvvm.rcp.approx.ftz.f(float %[[ROOT]])
; CHECK-NEXT:    %[[MINUS_ROOT:.*]] = fneg float %[[ROOT]]
; CHECK-NEXT:    %[[REST:.*]] = call float @llvm.fma.f32(float %[[MINUS_ROOT]], float %[[RECIPROCAL]], float 1.000000e+00)
; CHECK-NEXT:    %[[BETTER:.*]] = call float @llvm.fma.f32(float %[[REST]], float %[[RECIPROCAL]], float %[[RECIPROCAL]])
; CHECK:         %[[SPECIAL_TOO:.*]] = fcmp oeq float %sum, 0x7FF0000000000000
; CHECK-NEXT:    %[[INVERSE:.*]] = select i1 %[[SPECIAL_TOO]], float %[[RECIPROCAL]], float %[[BETTER]]
; CHECK-NEXT:    ret float %[[INVERSE]]
  %xx = fmul float %x, %x
  %yy = call float @llvm.fma.f32(float %y, float %y, float %xx)
  %sum = fadd float %yy, 0x3F50624DE0000000
  %root = call float @llvm.sqrt.f32(float %sum)
  %inverse = fdiv float 1.0, %root
  ret float %inverse
}

; Of what may be small the assembler's own code is as good, outside of loops.
define float @unknown(float %x) {
; CHECK-LABEL: @unknown
; CHECK-NEXT:    %root = call float @llvm.sqrt.f32(float %x)
; CHECK-NEXT:    ret float %root
  %root = call float @llvm.sqrt.f32(float %x)
  ret float %root
}

; Products of positive numbers may be too small for a float.
define float @underflow(float %x) {
; CHECK-LABEL: @underflow
; CHECK:         call float @llvm.sqrt.f32(
  %e = call float @llvm.maxnum.f32(float %x, float 0x3A00000000000000)
  %a = call float @llvm.fabs.f32(float %e)
  %ee = fmul float %a, 0x3A00000000000000
  %big = fmul float %ee, 0x47E0000000000000
  %root = call float @llvm.sqrt.f32(float %big)
  ret float %root
}

; A product of numbers that are large enough is, one that may be just below is not.
define float @products(float %x) {
; CHECK-LABEL: @products
; CHECK:         call float @llvm.nvvm.rsqrt.approx.ftz.f(float %large)
; CHECK:         call float @llvm.sqrt.f32(float %small)
  %magnitude = call float @llvm.fabs.f32(float %x)
  %a = fadd float %magnitude, 0x3CD0000000000000
  %c = fadd float %magnitude, 0x3CC0000000000000
  %large = fmul float %a, %a
  %small = fmul float %a, %c
  %root = call float @llvm.sqrt.f32(float %large)
  %other = call float @llvm.sqrt.f32(float %small)
  %both = fadd float %root, %other
  ret float %both
}

; What was asked to be approximate stays so; a root of double is left to the assembler.
define double @others(float %x, double %d) {
; CHECK-LABEL: @others
; CHECK:         %fast = call afn float @llvm.sqrt.f32(
; CHECK:         %double = call double @llvm.sqrt.f64(
  %xx = fmul float %x, %x
  %sum = fadd float %xx, 1.0
  %fast = call afn float @llvm.sqrt.f32(float %sum)
  %double = call double @llvm.sqrt.f64(double %d)
  %wide = fpext float %fast to double
  %both = fadd double %double, %wide
  ret double %both
}

; In loops small arguments are scaled.
define void @scaled(ptr %p, i32 %n) {
; CHECK-LABEL: @scaled
; CHECK:         %[[SMALL:.*]] = fcmp olt float %x, 0x39A0000000000000
; CHECK-NEXT:    %[[LARGER:.*]] = fmul float %x, 0x43F0000000000000
; CHECK-NEXT:    %[[X:.*]] = select i1 %[[SMALL]], float %[[LARGER]], float %x
; CHECK-NEXT:    call float @llvm.nvvm.rsqrt.approx.ftz.f(float %[[X]])
; CHECK:         %[[REFINED:.*]] = call float @llvm.fma.f32(
; CHECK-NEXT:    %[[ROOT:.*]] = call float @llvm.fma.f32(float %[[REFINED]],
; CHECK-NEXT:    %[[SMALLER:.*]] = fmul float %[[ROOT]], 0x3DF0000000000000
; CHECK-NEXT:    %[[UNSCALED:.*]] = select i1 %[[SMALL]], float %[[SMALLER]], float %[[ROOT]]
; CHECK-NEXT:    %[[ZERO:.*]] = fcmp oeq float %x, 0.000000e+00
; CHECK-NEXT:    %[[INFINITE:.*]] = fcmp oeq float %x, 0x7FF0000000000000
; CHECK-NEXT:    %[[SPECIAL:.*]] = or i1 %[[INFINITE]], %[[ZERO]]
; CHECK-NEXT:    %[[RESULT:.*]] = select i1 %[[SPECIAL]], float %x, float %[[UNSCALED]]
; CHECK-NEXT:    store float %[[RESULT]]
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr float, ptr %p, i32 %i
  %x = load float, ptr %at
  %root = call float @llvm.sqrt.f32(float %x)
  store float %root, ptr %at
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

define double @softened_double(double %x) {
; CHECK-LABEL: @softened_double(
; CHECK:         %sum = fadd double
; CHECK-NOT:     select
; CHECK:         %[[ESTIMATE:.*]] = call double @llvm.nvvm.rsqrt.approx.ftz.d(double noundef %sum)
; CHECK:         %[[WORDS:.*]] = bitcast double %[[ESTIMATE]] to <2 x i32>
; CHECK-NEXT:    %[[HIGH:.*]] = extractelement <2 x i32> %[[WORDS]], i64 1
; CHECK-NEXT:    %[[FINAL:.*]] = icmp eq i32 %[[HIGH]], 0
; CHECK:         %[[ROOT:.*]] = select i1 %[[FINAL]], double %[[ESTIMATE]], double %{{.*}}
; CHECK:         ret double %[[ROOT]]
  %xx = fmul double %x, %x
  %sum = fadd double %xx, 1.0e-9
  %root = call double @llvm.nvvm.rsqrt.approx.d(double %sum)
  ret double %root
}

define void @scaled_double(ptr %p, i32 %n) {
; CHECK-LABEL: @scaled_double(
; CHECK:         %[[SMALL:.*]] = icmp slt i32 %{{.*}}, 1048576
; CHECK-NEXT:    %[[LARGER:.*]] = fmul double %x, 0x4350000000000000
; CHECK-NEXT:    %[[X:.*]] = select i1 %[[SMALL]], double %[[LARGER]], double %x
; CHECK-NEXT:    %[[ESTIMATE:.*]] = call double @llvm.nvvm.rsqrt.approx.ftz.d(double noundef %[[X]])
; CHECK:         %[[OFFSET:.*]] = add i32 %{{.*}}, -2146435072
; CHECK-NEXT:    %[[FINAL:.*]] = icmp ult i32 %[[OFFSET]], -2145386496
; CHECK:         %[[ROOT:.*]] = select i1 %[[FINAL]], double %[[ESTIMATE]], double %{{.*}}
; CHECK-NEXT:    %[[SCALED:.*]] = fmul double %[[ROOT]], 0x41A0000000000000
; CHECK-NEXT:    %[[RESULT:.*]] = select i1 %[[SMALL]], double %[[SCALED]], double %[[ROOT]]
; CHECK-NEXT:    store double %[[RESULT]]
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr double, ptr %p, i32 %i
  %x = load double, ptr %at
  %root = call double @llvm.nvvm.rsqrt.approx.d(double %x)
  store double %root, ptr %at
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

define half @half_quotient(half %x, half %y) {
; CHECK-LABEL: @half_quotient(
; CHECK-NEXT:    %[[X:.*]] = fpext half %x to float
; CHECK-NEXT:    %[[Y:.*]] = fpext half %y to float
; CHECK-NEXT:    %[[ESTIMATE:.*]] = call float @llvm.nvvm.rcp.approx.ftz.f(float %[[Y]])
; CHECK-NEXT:    %[[Q:.*]] = fmul float %[[X]], %[[ESTIMATE]]
; CHECK-NEXT:    %[[MINUS:.*]] = fneg float %[[Y]]
; CHECK-NEXT:    %[[ERROR:.*]] = call float @llvm.fma.f32(float %[[MINUS]], float %[[Q]], float %[[X]])
; CHECK-NEXT:    %[[REFINED:.*]] = call float @llvm.fma.f32(float %[[ESTIMATE]], float %[[ERROR]], float %[[Q]])
; CHECK:         %[[IS:.*]] = fcmp one float %[[REFINED]], 0.000000e+00
; CHECK:         %[[BEST:.*]] = select i1 %[[IS]], float %[[REFINED]], float %[[Q]]
; CHECK:         %[[RESULT:.*]] = fptrunc float %[[BEST]] to half
; CHECK-NEXT:    ret half %[[RESULT]]
  %q = fdiv half %x, %y
  ret half %q
}

; Each element of a vector; what may be approximated is left to the code generator.
define <2 x half> @half_quotients(<2 x half> %x, <2 x half> %y) {
; CHECK-LABEL: @half_quotients(
; CHECK-COUNT-2: @llvm.nvvm.rcp.approx.ftz.f
; CHECK-NOT:     fdiv
  %q = fdiv <2 x half> %x, %y
  ret <2 x half> %q
}

define half @approximate_quotient(half %x, half %y) {
; CHECK-LABEL: @approximate_quotient(
; CHECK-NEXT:    fdiv
  %q = fdiv afn half %x, %y
  ret half %q
}
