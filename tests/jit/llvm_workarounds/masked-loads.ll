; A masked load of several registers leaves out those in which no lane may be loaded. LLVM 22 reads the last one of @choose
; whole otherwise, at the end of memory: of kernel 93593 of seed 4242, with groups of 19 work-items.
; RUN: falx-opt --passes=falx-masked-loads -S %s | FileCheck %s
; RUN: falx-opt --passes=falx-masked-loads -S %s | llc -mtriple=x86_64 -mcpu=haswell | FileCheck %s --check-prefix=CODE

; CHECK-LABEL: define <32 x i32> @choose(
; CHECK: %[[OTHER0:.*]] = shufflevector <32 x i32> %other, <32 x i32> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
; CHECK: %[[MASK0:.*]] = shufflevector <32 x i1> %mask, <32 x i1> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
; CHECK: %[[PART0:.*]] = call <8 x i32> @llvm.masked.load.v8i32.p0(ptr align 16 %{{.*}}, <8 x i1> %[[MASK0]], <8 x i32> %[[OTHER0]]), !tbaa
; CHECK: %[[AT1:.*]] = getelementptr i8, ptr %at, i64 32
; CHECK: call <8 x i32> @llvm.masked.load.v8i32.p0(ptr align 16 %[[AT1]],
; CHECK: %[[AT2:.*]] = getelementptr i8, ptr %at, i64 64
; CHECK: %[[PART2:.*]] = call <8 x i32> @llvm.masked.load.v8i32.p0(ptr align 16 %[[AT2]],
; CHECK: %[[PART3:.*]] = shufflevector <32 x i32> %other, <32 x i32> poison, <8 x i32> <i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
; CHECK-NOT: masked.load
; CHECK: shufflevector <8 x i32> %[[PART2]], <8 x i32> %[[PART3]]
; CODE-LABEL: choose:
; CODE-NOT: 96(%rdi)
; CODE: retq
define <32 x i32> @choose(ptr %at, <32 x float> %x, <32 x i32> %other) {
  %chosen = fcmp ogt <32 x float> %x, splat (float 2.200000e+01)
  %mask = select <32 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <32 x i1> %chosen, <32 x i1> zeroinitializer
  %values = call <32 x i32> @llvm.masked.load.v32i32.p0(ptr align 16 %at, <32 x i1> %mask, <32 x i32> %other), !tbaa !0
  ret <32 x i32> %values
}

; Known from either side of a conjunction, both of a disjunction, and through a permutation.
; CHECK-LABEL: define <8 x i64> @combined(
; CHECK: call <4 x i64> @llvm.masked.load.v4i64.p0(ptr align 8
; CHECK-NOT: masked.load
; CHECK: ret <8 x i64>
define <8 x i64> @combined(ptr %at, <8 x i1> %a, <8 x i1> %b) {
  %one = and <8 x i1> %a, <i1 true, i1 false, i1 false, i1 false, i1 false, i1 true, i1 true, i1 true>
  %other = and <8 x i1> <i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 true, i1 true>, %b
  %any = or <8 x i1> %one, %other
  %turned = shufflevector <8 x i1> %any, <8 x i1> poison, <8 x i32> <i32 0, i32 5, i32 6, i32 7, i32 1, i32 2, i32 3, i32 4>
  %values = call <8 x i64> @llvm.masked.load.v8i64.p0(ptr align 8 %at, <8 x i1> %turned, <8 x i64> zeroinitializer)
  ret <8 x i64> %values
}

; A lane of every register may be loaded; one register; not known.
; CHECK-LABEL: define <16 x float> @every(
; CHECK: call <16 x float> @llvm.masked.load.v16f32
define <16 x float> @every(ptr %at, <16 x i1> %a) {
  %mask = and <16 x i1> %a, <i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>
  %values = call <16 x float> @llvm.masked.load.v16f32.p0(ptr align 4 %at, <16 x i1> %mask, <16 x float> zeroinitializer)
  ret <16 x float> %values
}
; CHECK-LABEL: define <8 x float> @one(
; CHECK: call <8 x float> @llvm.masked.load.v8f32
define <8 x float> @one(ptr %at) {
  %values = call <8 x float> @llvm.masked.load.v8f32.p0(ptr align 4 %at, <8 x i1> zeroinitializer, <8 x float> zeroinitializer)
  ret <8 x float> %values
}
; CHECK-LABEL: define <16 x float> @unknown(
; CHECK: call <16 x float> @llvm.masked.load.v16f32
define <16 x float> @unknown(ptr %at, <16 x i1> %a, <16 x i1> %b) {
  %mask = or <16 x i1> %a, %b
  %values = call <16 x float> @llvm.masked.load.v16f32.p0(ptr align 4 %at, <16 x i1> %mask, <16 x float> zeroinitializer)
  ret <16 x float> %values
}

!0 = !{!1, !1, i64 0}
!1 = !{!"int", !2, i64 0}
!2 = !{!"char"}
