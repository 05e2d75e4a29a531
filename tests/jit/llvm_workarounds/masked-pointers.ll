; LLVM takes masked accesses of pointers apart with the whole vector's alignment for each, so they promise only that of a
; pointer. Others keep theirs.
; RUN: falx-opt --passes=falx-masked-pointers -S %s | FileCheck %s

declare <4 x ptr> @llvm.masked.load.v4p0.p0(ptr captures(none), <4 x i1>, <4 x ptr>)
declare void @llvm.masked.store.v4p0.p0(<4 x ptr>, ptr captures(none), <4 x i1>)
declare void @llvm.masked.store.v4i64.p0(<4 x i64>, ptr captures(none), <4 x i1>)

; CHECK-LABEL: define void @f(
; CHECK: call <4 x ptr> @llvm.masked.load.v4p0.p0(ptr align 8 %at, <4 x i1> %mask, <4 x ptr> zeroinitializer)
; CHECK: call void @llvm.masked.store.v4p0.p0(<4 x ptr> %p, ptr align 8 %at, <4 x i1> %mask)
; CHECK: call void @llvm.masked.store.v4p0.p0(<4 x ptr> %p, ptr align 4 %at, <4 x i1> %mask)
; CHECK: call void @llvm.masked.store.v4i64.p0(<4 x i64> zeroinitializer, ptr align 32 %at, <4 x i1> %mask)
define void @f(ptr %at, <4 x i1> %mask) {
  %p = call <4 x ptr> @llvm.masked.load.v4p0.p0(ptr align 32 %at, <4 x i1> %mask, <4 x ptr> zeroinitializer)
  call void @llvm.masked.store.v4p0.p0(<4 x ptr> %p, ptr align 32 %at, <4 x i1> %mask)
  call void @llvm.masked.store.v4p0.p0(<4 x ptr> %p, ptr align 4 %at, <4 x i1> %mask)
  call void @llvm.masked.store.v4i64.p0(<4 x i64> zeroinitializer, ptr align 32 %at, <4 x i1> %mask)
  ret void
}
