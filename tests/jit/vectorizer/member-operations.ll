; What is done alike to all members of structures is done to memory's vectors as they lie: transpositions there and back are gone.
; RUN: falx-opt --passes='falx-member-operations,verify' -S %s | FileCheck %s
; RUN: falx-opt --passes='falx-member-operations,dce' -S %s | FileCheck %s --check-prefix=CLEAN

; Two members; the other operand is the same for all, and each work-item's own.
; CHECK-LABEL: @two(
; CHECK-NOT: shufflevector <4 x float> %0
; CHECK: %[[OWN0:.*]] = shufflevector <4 x float> %own, <4 x float> poison, <4 x i32> <i32 0, i32 0, i32 1, i32 1>
; CHECK: %[[SUM0:.*]] = fadd <4 x float> %0, %[[OWN0]]
; CHECK: %[[LESS0:.*]] = fmul nnan <4 x float> %[[SUM0]], splat (float 5.000000e-01)
; CHECK: store <4 x float> %[[LESS0]], ptr %at
; CHECK: %[[OWN1:.*]] = shufflevector <4 x float> %own, <4 x float> poison, <4 x i32> <i32 2, i32 2, i32 3, i32 3>
; CHECK: fadd <4 x float> %1, %[[OWN1]]
; CHECK-NOT: shufflevector
; CHECK: ret void
define void @two(ptr %at, <4 x float> %own) {
entry:
  %0 = load <4 x float>, ptr %at
  %behind = getelementptr i8, ptr %at, i64 16
  %1 = load <4 x float>, ptr %behind
  %x = shufflevector <4 x float> %0, <4 x float> %1, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
  %y = shufflevector <4 x float> %0, <4 x float> %1, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
  %x.sum = fadd nnan <4 x float> %x, %own
  %y.sum = fadd <4 x float> %y, %own
  %x.less = fmul nnan <4 x float> %x.sum, splat (float 0.5)
  %y.less = fmul nnan ninf <4 x float> %y.sum, splat (float 0.5)
  %2 = shufflevector <4 x float> %x.less, <4 x float> %y.less, <4 x i32> <i32 0, i32 4, i32 1, i32 5>
  %3 = shufflevector <4 x float> %x.less, <4 x float> %y.less, <4 x i32> <i32 2, i32 6, i32 3, i32 7>
  store <4 x float> %2, ptr %at
  store <4 x float> %3, ptr %behind
  ret void
}

; A function, a comparison and a choice, a conversion, behind masks; constants that differ between the members are a vector.
; CHECK-LABEL: @masked(
; CLEAN-LABEL: @masked(
; CLEAN: %[[ROOT:.*]] = call <4 x float> @llvm.sqrt.v4f32(<4 x float> %0)
; CLEAN: %[[WIDE:.*]] = fpext <4 x float> %[[ROOT]] to <4 x double>
; CLEAN: %[[TIMES:.*]] = fmul <4 x double> %[[WIDE]], <double 2.000000e+00, double 3.000000e+00, double 2.000000e+00, double 3.000000e+00>
; CLEAN: %[[NARROW:.*]] = fptrunc <4 x double> %[[TIMES]] to <4 x float>
; CLEAN: %[[IS:.*]] = fcmp olt <4 x float> %[[NARROW]], splat (float 1.000000e+00)
; CLEAN: %[[OR:.*]] = select <4 x i1> %[[IS]], <4 x float> %[[NARROW]], <4 x float> %0
; CLEAN: call void @llvm.masked.store.v4f32.p0(<4 x float> %[[OR]], ptr align 4 %at, <4 x i1> %mask)
; CLEAN-NOT: shufflevector
; CLEAN: ret void
define void @masked(ptr %at, <4 x i1> %mask) {
entry:
  %0 = call <4 x float> @llvm.masked.load.v4f32.p0(ptr align 4 %at, <4 x i1> %mask, <4 x float> zeroinitializer)
  %x = shufflevector <4 x float> %0, <4 x float> poison, <2 x i32> <i32 0, i32 2>
  %y = shufflevector <4 x float> %0, <4 x float> poison, <2 x i32> <i32 1, i32 3>
  %x.root = call <2 x float> @llvm.sqrt.v2f32(<2 x float> %x)
  %y.root = call <2 x float> @llvm.sqrt.v2f32(<2 x float> %y)
  %x.wide = fpext <2 x float> %x.root to <2 x double>
  %y.wide = fpext <2 x float> %y.root to <2 x double>
  %x.times = fmul <2 x double> %x.wide, splat (double 2.0)
  %y.times = fmul <2 x double> %y.wide, splat (double 3.0)
  %x.narrow = fptrunc <2 x double> %x.times to <2 x float>
  %y.narrow = fptrunc <2 x double> %y.times to <2 x float>
  %x.is = fcmp olt <2 x float> %x.narrow, splat (float 1.0)
  %y.is = fcmp olt <2 x float> %y.narrow, splat (float 1.0)
  %x.or = select <2 x i1> %x.is, <2 x float> %x.narrow, <2 x float> %x
  %y.or = select <2 x i1> %y.is, <2 x float> %y.narrow, <2 x float> %y
  %1 = shufflevector <2 x float> %x.or, <2 x float> %y.or, <4 x i32> <i32 0, i32 2, i32 1, i32 3>
  call void @llvm.masked.store.v4f32.p0(<4 x float> %1, ptr align 4 %at, <4 x i1> %mask)
  ret void
}

; Members that are treated differently, or compared differently, stay as they are.
; CHECK-LABEL: @different(
; CHECK: fadd <2 x float>
; CHECK: fmul <2 x float>
; CHECK: shufflevector <2 x float> %x.new, <2 x float> %y.new
; CHECK: icmp slt <2 x i32>
; CHECK: icmp ult <2 x i32>
define void @different(ptr %at, <2 x i32> %limit) {
entry:
  %0 = load <4 x float>, ptr %at
  %x = shufflevector <4 x float> %0, <4 x float> poison, <2 x i32> <i32 0, i32 2>
  %y = shufflevector <4 x float> %0, <4 x float> poison, <2 x i32> <i32 1, i32 3>
  %x.new = fadd <2 x float> %x, splat (float 2.0)
  %y.new = fmul <2 x float> %y, splat (float 2.0)
  %1 = shufflevector <2 x float> %x.new, <2 x float> %y.new, <4 x i32> <i32 0, i32 2, i32 1, i32 3>
  store <4 x float> %1, ptr %at
  %ints.at = getelementptr i8, ptr %at, i64 1000
  %2 = load <4 x i32>, ptr %ints.at
  %a = shufflevector <4 x i32> %2, <4 x i32> poison, <2 x i32> <i32 0, i32 2>
  %b = shufflevector <4 x i32> %2, <4 x i32> poison, <2 x i32> <i32 1, i32 3>
  %a.is = icmp slt <2 x i32> %a, %limit
  %b.is = icmp ult <2 x i32> %b, %limit
  %a.new = select <2 x i1> %a.is, <2 x i32> %a, <2 x i32> zeroinitializer
  %b.new = select <2 x i1> %b.is, <2 x i32> %b, <2 x i32> zeroinitializer
  %3 = shufflevector <2 x i32> %a.new, <2 x i32> %b.new, <4 x i32> <i32 0, i32 2, i32 1, i32 3>
  store <4 x i32> %3, ptr %ints.at
  ret void
}

; Results that something else needs are not computed twice for the sake of one shuffle; what may trap is not done in other lanes.
; CHECK-LABEL: @needed(
; CHECK: %x.new = fadd <2 x float>
; CHECK: %y.new = fadd <2 x float>
; CHECK: %1 = shufflevector <2 x float> %x.new, <2 x float> %y.new
; CHECK: sdiv <2 x i32> %a, %b
; CHECK: sdiv <2 x i32> %b, %a
define <2 x float> @needed(ptr %at) {
entry:
  %0 = load <4 x float>, ptr %at
  %x = shufflevector <4 x float> %0, <4 x float> poison, <2 x i32> <i32 0, i32 2>
  %y = shufflevector <4 x float> %0, <4 x float> poison, <2 x i32> <i32 1, i32 3>
  %x.new = fadd <2 x float> %x, splat (float 2.0)
  %y.new = fadd <2 x float> %y, splat (float 2.0)
  %1 = shufflevector <2 x float> %x.new, <2 x float> %y.new, <4 x i32> <i32 0, i32 2, i32 1, i32 3>
  store <4 x float> %1, ptr %at
  %ints.at = getelementptr i8, ptr %at, i64 1000
  %2 = load <4 x i32>, ptr %ints.at
  %a = shufflevector <4 x i32> %2, <4 x i32> poison, <2 x i32> <i32 0, i32 2>
  %b = shufflevector <4 x i32> %2, <4 x i32> poison, <2 x i32> <i32 1, i32 3>
  %a.new = sdiv <2 x i32> %a, %b
  %b.new = sdiv <2 x i32> %b, %a
  %3 = shufflevector <2 x i32> %a.new, <2 x i32> %b.new, <4 x i32> <i32 0, i32 2, i32 1, i32 3>
  store <4 x i32> %3, ptr %ints.at
  %product = fmul <2 x float> %x.new, %y.new
  ret <2 x float> %product
}

; A function of two types.
; CHECK-LABEL: @two_types(
; CHECK: call <2 x i32> @llvm.fptosi.sat.v2i32.v2f32(<2 x float> %x)
; CHECK: call <2 x i32> @llvm.fptosi.sat.v2i32.v2f32(<2 x float> %y)
define void @two_types(ptr %at) {
entry:
  %0 = load <4 x float>, ptr %at
  %x = shufflevector <4 x float> %0, <4 x float> poison, <2 x i32> <i32 0, i32 2>
  %y = shufflevector <4 x float> %0, <4 x float> poison, <2 x i32> <i32 1, i32 3>
  %x.new = call <2 x i32> @llvm.fptosi.sat.v2i32.v2f32(<2 x float> %x)
  %y.new = call <2 x i32> @llvm.fptosi.sat.v2i32.v2f32(<2 x float> %y)
  %1 = shufflevector <2 x i32> %x.new, <2 x i32> %y.new, <4 x i32> <i32 0, i32 2, i32 1, i32 3>
  store <4 x i32> %1, ptr %at
  ret void
}

; Three operands of one type; what is copied needs no operation at all.
; CHECK-LABEL: @fused(
; CHECK: %[[FUSED:.*]] = call <4 x float> @llvm.fma.v4f32(<4 x float> %0, <4 x float> %0, <4 x float> splat (float 1.000000e+00))
; CHECK: store <4 x float> %[[FUSED]], ptr %at
; CHECK: store <4 x float> %0, ptr %to
; CHECK-NOT: shufflevector
; CHECK: ret void
define void @fused(ptr %at, ptr %to) {
entry:
  %0 = load <4 x float>, ptr %at
  %x = shufflevector <4 x float> %0, <4 x float> poison, <2 x i32> <i32 0, i32 2>
  %y = shufflevector <4 x float> %0, <4 x float> poison, <2 x i32> <i32 1, i32 3>
  %x.new = call <2 x float> @llvm.fma.v2f32(<2 x float> %x, <2 x float> %x, <2 x float> splat (float 1.0))
  %y.new = call <2 x float> @llvm.fma.v2f32(<2 x float> %y, <2 x float> %y, <2 x float> splat (float 1.0))
  %1 = shufflevector <2 x float> %x.new, <2 x float> %y.new, <4 x i32> <i32 0, i32 2, i32 1, i32 3>
  store <4 x float> %1, ptr %at
  %2 = shufflevector <2 x float> %x, <2 x float> %y, <4 x i32> <i32 0, i32 2, i32 1, i32 3>
  store <4 x float> %2, ptr %to
  ret void
}
