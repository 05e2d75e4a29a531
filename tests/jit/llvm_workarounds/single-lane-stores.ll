; A masked store of one lane becomes a store of it: LLVM 22 would store it before it is truncated. As seen with kernel 377
; of seed 1: 8 bytes instead of 4, behind the end of an array.
; RUN: falx-opt --passes=falx-single-lane-stores -S %s | FileCheck %s
; RUN: falx-opt --passes=falx-single-lane-stores -S %s | llc -mcpu=skylake-avx512 | FileCheck %s --check-prefix=CODE

declare void @llvm.masked.store.v2i32.p0(<2 x i32>, ptr captures(none), <2 x i1>)
declare void @llvm.masked.store.v8i16.p0(<8 x i16>, ptr captures(none), <8 x i1>)

; CHECK-LABEL: define void @first(
; CHECK: [[LANE:%.*]] = extractelement <2 x i32> %low, i64 0
; CHECK: store i32 [[LANE]], ptr %at, align 4, !tbaa
; CODE-LABEL: first:
; CODE-NOT: movq {{.*}}(%rdi)
; CODE: {{movl|movd|movss}} {{.*}}(%rdi)
define void @first(ptr %at, <2 x i64> %x) {
  %low = trunc <2 x i64> %x to <2 x i32>
  call void @llvm.masked.store.v2i32.p0(<2 x i32> %low, ptr align 4 %at, <2 x i1> <i1 true, i1 false>), !tbaa !0
  ret void
}

; CHECK-LABEL: define void @third(
; CHECK-DAG: [[LANE:%.*]] = extractelement <8 x i16> %low, i64 2
; CHECK-DAG: [[PLACE:%.*]] = getelementptr inbounds i16, ptr %at, i64 2
; CHECK: store i16 [[LANE]], ptr [[PLACE]], align 4
; CODE-LABEL: third:
; CODE: movw {{.*}}4(%rdi)
define void @third(ptr %at, <8 x i64> %x) {
  %low = trunc <8 x i64> %x to <8 x i16>
  call void @llvm.masked.store.v8i16.p0(<8 x i16> %low, ptr align 16 %at, <8 x i1> <i1 0, i1 0, i1 1, i1 0, i1 0, i1 0, i1 0, i1 0>)
  ret void
}

; Lanes that may be anything are not stored. Other masks stay: none, two, unknown.
; CHECK-LABEL: define void @others(
; CHECK-COUNT-3: call void @llvm.masked.store
; CHECK-NEXT: extractelement <2 x i32> %x, i64 0
; CHECK-NEXT: store i32
define void @others(ptr %at, <2 x i32> %x, <2 x i1> %mask) {
  call void @llvm.masked.store.v2i32.p0(<2 x i32> %x, ptr align 4 %at, <2 x i1> zeroinitializer)
  call void @llvm.masked.store.v2i32.p0(<2 x i32> %x, ptr align 4 %at, <2 x i1> splat (i1 true))
  call void @llvm.masked.store.v2i32.p0(<2 x i32> %x, ptr align 4 %at, <2 x i1> %mask)
  call void @llvm.masked.store.v2i32.p0(<2 x i32> %x, ptr align 4 %at, <2 x i1> <i1 true, i1 poison>)
  ret void
}

!0 = !{!1, !1, i64 0}
!1 = !{!"int", !2, i64 0}
!2 = !{!"tbaa"}
