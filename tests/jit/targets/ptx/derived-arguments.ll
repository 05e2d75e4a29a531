; What depends on nothing but the launch and is slow is left to the host, and of divisions by such numbers multiplier and
; shift.
; RUN: split-file %s %t
; RUN: falx-opt -mtriple=nvptx64-nvidia-cuda --passes=falx-ptx-derived-arguments,verify %t/halves.ll | FileCheck %t/halves.ll
; RUN: falx-opt -mtriple=nvptx64-nvidia-cuda --passes=falx-ptx-derived-arguments,verify %t/wholes.ll | FileCheck %t/wholes.ll
; RUN: falx-opt -mtriple=nvptx64-nvidia-cuda --passes=falx-ptx-derived-arguments,verify %t/wide.ll | FileCheck %t/wide.ll
; RUN: falx-opt -mtriple=nvptx64-nvidia-cuda --passes=falx-ptx-derived-arguments,verify %t/results.ll \
; RUN:   | FileCheck %t/results.ll
; RUN: falx-opt -mtriple=nvptx64-nvidia-cuda --passes=falx-ptx-derived-arguments,verify %t/others.ll | FileCheck %t/others.ll
; RUN: sed 's/NAME/flushed/; s/WHAT/"falx-flushes-denormals"="1"/' %t/floats.ll | falx-opt -mtriple=nvptx64-nvidia-cuda \
; RUN:   --passes=falx-ptx-derived-arguments,verify | FileCheck %t/floats.ll --check-prefix=FLUSHED
; RUN: sed 's/NAME/kept/; s/WHAT//' %t/floats.ll | falx-opt -mtriple=nvptx64-nvidia-cuda \
; RUN:   --passes=falx-ptx-derived-arguments,verify | FileCheck %t/floats.ll --check-prefix=KEPT
; RUN: falx-opt -mtriple=nvptx64-nvidia-cuda --passes=falx-ptx-derived-arguments,verify %t/full.ll | FileCheck %t/full.ll

;--- halves.ll
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; An unsigned division of a number that is not negative; twice by the same, once by another.
; CHECK-LABEL: @halves(
; CHECK-SAME: ptr noalias noundef readonly byval([16 x i8]) align 8 "nvvm.grid_constant" %derived)
; CHECK: [[M:%.*]] = load i32, {{.*}}!invariant.load
; CHECK: [[S:%.*]] = load i32
; CHECK: [[TWICE:%.*]] = shl nuw i32 %i, 1
; CHECK: [[WIDE:%.*]] = zext i32 [[TWICE]] to i64
; CHECK: [[BY:%.*]] = zext i32 [[M]] to i64
; CHECK: [[PRODUCT:%.*]] = mul nuw i64 [[WIDE]], [[BY]]
; CHECK: [[UPPER:%.*]] = lshr i64 [[PRODUCT]], 32
; CHECK: [[HIGH:%.*]] = trunc i64 [[UPPER]] to i32
; CHECK: [[Q:%.*]] = lshr i32 [[HIGH]], [[S]]
; CHECK: [[J:%.*]] = freeze i32 %j
; CHECK: [[WHOLE:%.*]] = mul i32 {{.*}}, %n
; CHECK: [[R:%.*]] = sub i32 [[J]], [[WHOLE]]
; A divisor may be negative: its absolute value is what is passed, and the sign is the quotient's.
; CHECK: [[SIGN:%.*]] = ashr i32 %m, 31
; CHECK: [[X:%.*]] = xor i32 {{.*}}, [[SIGN]]
; CHECK: sub i32 [[X]], [[SIGN]]
; CHECK: !{!" function:32:8 half_multiplier:32 result:32 function:32:8 half_shift:32 result:32
; CHECK-SAME: function:32:12 abs:32 half_multiplier:32 result:32 function:32:12 abs:32 half_shift:32 result:32"}
define ptx_kernel void @halves(ptr byval([16 x i8]) %function, ptr byval([48 x i8]) %launch) "falx-kind"="2" "falx-ptx"="78" {
  %to.flat = load ptr, ptr %function
  %to = addrspacecast ptr %to.flat to ptr addrspace(1)
  %n.at = getelementptr i8, ptr %function, i64 8
  %n = load i32, ptr %n.at
  %m.at = getelementptr i8, ptr %function, i64 12
  %m = load i32, ptr %m.at
  %i = call range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = udiv i32 %i, %n
  %j = add nuw nsw i32 %i, 5
  %r = urem i32 %j, %n
  %s = sdiv i32 %i, %m
  %sum = add i32 %q, %r
  %all = add i32 %sum, %s
  store i32 %all, ptr addrspace(1) %to
  ret void
}

;--- wholes.ll
; Of any dividends; a remainder has the sign of its dividend.
; CHECK-LABEL: @wholes(
; CHECK: %v = load i32
; CHECK: [[V:%.*]] = freeze i32 %v
; CHECK: [[HIGH:%.*]] = trunc i64 {{.*}} to i32
; CHECK: [[REST:%.*]] = sub nuw i32 [[V]], [[HIGH]]
; CHECK: [[HALF:%.*]] = lshr i32 [[REST]], {{%.*}}
; CHECK: [[SUM:%.*]] = add nuw i32 [[HALF]], [[HIGH]]
; CHECK: [[Q:%.*]] = lshr i32 [[SUM]], {{%.*}}
; CHECK: [[SAME:%.*]] = freeze i32 %v
; CHECK: [[ABSOLUTE:%.*]] = call i32 @llvm.abs.i32(i32 [[SAME]], i1 false)
; CHECK: [[WHOLE:%.*]] = mul i32
; CHECK: [[R:%.*]] = sub i32 [[ABSOLUTE]], [[WHOLE]]
; CHECK: [[SIGN:%.*]] = ashr i32 [[SAME]], 31
; CHECK: [[X:%.*]] = xor i32 [[R]], [[SIGN]]
; CHECK: sub i32 [[X]], [[SIGN]]
; CHECK: !{!" function:32:8 whole_multiplier:32 result:32
; CHECK-SAME: function:32:8 whole_shift:32 constant:32:1 umin:32 result:32
; CHECK-SAME: function:32:8 whole_shift:32 constant:32:1 umax:32 constant:32:1 sub:32 result:32
; CHECK-SAME: function:32:8 abs:32 whole_multiplier:32 result:32
; CHECK-SAME: function:32:8 abs:32 result:32"}
define ptx_kernel void @wholes(ptr byval([16 x i8]) %function, ptr byval([48 x i8]) %launch) "falx-kind"="2" "falx-ptx"="78" {
  %to.flat = load ptr, ptr %function
  %to = addrspacecast ptr %to.flat to ptr addrspace(1)
  %n.at = getelementptr i8, ptr %function, i64 8
  %n = load i32, ptr %n.at
  %v = load i32, ptr addrspace(1) %to
  %q = udiv i32 %v, %n
  %r = srem i32 %v, %n
  %sum = add i32 %q, %r
  store i32 %sum, ptr addrspace(1) %to
  ret void
}

;--- wide.ll
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; With 32 bits, if the dividend has no more; the divisor is computed, of the launch's range.
; CHECK-LABEL: @wide(
; CHECK: [[NARROW:%.*]] = shl nuw i32 %i, 1
; CHECK: [[Q:%.*]] = lshr i32
; CHECK: zext i32 [[Q]] to i64
; CHECK: [[SAME:%.*]] = freeze i32 %v
; CHECK: call i32 @llvm.abs.i32(i32 [[SAME]], i1 false)
; CHECK: [[R:%.*]] = sub i32
; CHECK: [[LONG:%.*]] = zext i32 [[R]] to i64
; CHECK: [[HALF:%.*]] = ashr i32 [[SAME]], 31
; CHECK: [[SIGN:%.*]] = sext i32 [[HALF]] to i64
; CHECK: xor i64 [[LONG]], [[SIGN]]
; CHECK: mul nuw i128
; CHECK: lshr i64
; CHECK: !{!" launch:64:0 constant:64:7 add:64 constant:64:2147483648 umin:64 half_multiplier:32 result:32
; CHECK-SAME: launch:64:0 constant:64:7 add:64 abs:64 constant:64:4294967295 umin:64 whole_multiplier:32
; CHECK-SAME: launch:64:0 constant:64:7 add:64 whole_multiplier:64 result:64
; CHECK-SAME: whole_shift:64 constant:64:1 umin:64 result:32
define ptx_kernel void @wide(ptr byval([16 x i8]) %function, ptr byval([48 x i8]) %launch) "falx-kind"="2" "falx-ptx"="78" {
  %to.flat = load ptr, ptr %function
  %to = addrspacecast ptr %to.flat to ptr addrspace(1)
  %range = load i64, ptr %launch
  %n = add i64 %range, 7
  %i = call range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %i to i64
  %q = udiv i64 %w, %n
  %v = load i32, ptr addrspace(1) %to
  %vs = sext i32 %v to i64
  %r = srem i64 %vs, %n
  %big = load i64, ptr addrspace(1) %to
  %bq = udiv i64 %big, %n
  %sum = add i64 %q, %r
  %all = add i64 %sum, %bq
  store i64 %all, ptr addrspace(1) %to
  ret void
}

;--- results.ll
; With what is made of them, as far as the host computes it.
; CHECK-LABEL: @results(
; CHECK-NOT: {{div|sqrt|mul}}
; CHECK: ret void
; CHECK: !{!" function:32:8 sext:32 trunc:64 function:64:16 sdiv:64 constant:64:1 add:64 result:64
; CHECK-SAME: sdiv:64 constant:64:1 add:64 constant:64:3 mul:64 result:64
; CHECK-SAME: function:32:8 sitofp32:64 function:64:24 fdiv:64 fsqrt:64 result:64"}
define ptx_kernel void @results(ptr byval([32 x i8]) %function, ptr byval([48 x i8]) %launch) "falx-kind"="2" "falx-ptx"="78" {
  %to.flat = load ptr, ptr %function
  %to = addrspacecast ptr %to.flat to ptr addrspace(1)
  %a.at = getelementptr i8, ptr %function, i64 8
  %a = load i32, ptr %a.at
  %b.at = getelementptr i8, ptr %function, i64 16
  %b = load i64, ptr %b.at
  %c.at = getelementptr i8, ptr %function, i64 24
  %c = load double, ptr %c.at
  %long = sext i32 %a to i64
  %q = sdiv i64 %long, %b
  %next = add i64 %q, 1
  %p = getelementptr i64, ptr addrspace(1) %to, i64 %next
  %x = load i64, ptr addrspace(1) %p
  %more = mul i64 %next, 3
  %f = sitofp i32 %a to double
  %ratio = fdiv double %f, %c
  %root = call double @llvm.sqrt.f64(double %ratio)
  %t = fptoui double %root to i64
  %s = add i64 %t, %x
  %all = add i64 %s, %more
  store i64 %all, ptr addrspace(1) %p
  ret void
}

;--- others.ll
; Not by constants, numbers that work-items load or find in loops, nor what is cheap.
; CHECK-LABEL: @others(
; CHECK-SAME: ptr byval([48 x i8]) %launch)
; CHECK: udiv i32 %n, 3
; CHECK: udiv i32 %v, %w
; CHECK: fdiv afn float
; CHECK: sdiv i16
; CHECK: urem i32 %v, %i
define ptx_kernel void @others(ptr byval([16 x i8]) %function, ptr byval([48 x i8]) %launch) "falx-kind"="2" "falx-ptx"="78" {
entry:
  %to.flat = load ptr, ptr %function
  %to = addrspacecast ptr %to.flat to ptr addrspace(1)
  %n.at = getelementptr i8, ptr %function, i64 8
  %n = load i32, ptr %n.at
  %f = load float, ptr %n.at
  %h = load i16, ptr %n.at
  %third = udiv i32 %n, 3
  %v = load i32, ptr addrspace(1) %to
  %next.at = getelementptr i32, ptr addrspace(1) %to, i32 %third
  %w = load i32, ptr addrspace(1) %next.at
  %q = udiv i32 %v, %w
  %g = fdiv afn float 1.0, %f
  %short = trunc i32 %v to i16
  %hq = sdiv i16 %short, %h
  store float %g, ptr addrspace(1) %to
  store i16 %hq, ptr addrspace(1) %to
  br label %loop
loop:
  %i = phi i32 [ %n, %entry ], [ %less, %loop ]
  %r = urem i32 %v, %i
  %sum = add i32 %r, %q
  store volatile i32 %sum, ptr addrspace(1) %next.at
  %less = sub i32 %i, 1
  %done = icmp ult i32 %less, 2
  br i1 %done, label %end, label %loop
end:
  ret void
}

;--- floats.ll
; Of float, if the device has its subnormal numbers as the host.
; FLUSHED-LABEL: @flushed(
; FLUSHED: fdiv float
; KEPT-LABEL: @kept(
; KEPT-NOT: fdiv
; KEPT: !{!" function:32:8 constant:32:1077936128 fdiv:32 result:32"}
define ptx_kernel void @NAME(ptr byval([16 x i8]) %function, ptr byval([48 x i8]) %launch) "falx-kind"="2" "falx-ptx"="78" WHAT {
  %to.flat = load ptr, ptr %function
  %to = addrspacecast ptr %to.flat to ptr addrspace(1)
  %a.at = getelementptr i8, ptr %function, i64 8
  %a = load float, ptr %a.at
  %q = fdiv float %a, 3.0
  store float %q, ptr addrspace(1) %to
  ret void
}

;--- full.ll
; What the driver passes is limited: 4096 bytes with PTX 7.8.
; CHECK-LABEL: @full(
; CHECK-SAME: ptr byval([48 x i8]) %launch)
; CHECK: udiv i32
define ptx_kernel void @full(ptr byval([4048 x i8]) %function, ptr byval([48 x i8]) %launch) "falx-kind"="2" "falx-ptx"="78" {
  %to.flat = load ptr, ptr %function
  %to = addrspacecast ptr %to.flat to ptr addrspace(1)
  %n.at = getelementptr i8, ptr %function, i64 8
  %n = load i32, ptr %n.at
  %v = load i32, ptr addrspace(1) %to
  %q = udiv i32 %v, %n
  store i32 %q, ptr addrspace(1) %to
  ret void
}
