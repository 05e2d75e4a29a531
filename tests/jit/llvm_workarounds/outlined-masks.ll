; Many masked accesses that the target has no instruction for become calls of one function for each form (type, alignment);
; code generation would make a block per lane of each.
; DEFINE: %{accesses} = s/A/  call <64 x i32> @llvm.masked.load.v64i32.p0(ptr align 4 %at, <64 x i1> %m, <64 x i32> %x)\n  call <64 x i8> @llvm.masked.load.v64i8.p0(ptr align 1 %at, <64 x i1> %m, <64 x i8> %y)\n  call void @llvm.masked.store.v64i8.p0(<64 x i8> %y, ptr align 1 %at, <64 x i1> %m)\n/g
; DEFINE: %{outline} = falx-opt -mtriple=x86_64 --passes=falx-outlined-masks -S -
; RUN: sed -e '/^AA*$/%{accesses}' %s | %{outline} -mcpu=nehalem | FileCheck %s --check-prefix=NEHALEM
; RUN: sed -e '/^AA*$/%{accesses}' %s | %{outline} -mcpu=haswell | FileCheck %s --check-prefix=HASWELL
; RUN: sed -e '/^AA*$/%{accesses}' %s | %{outline} -mcpu=sapphirerapids | FileCheck %s --check-prefix=STAY
; RUN: sed -e 's/^AA*$/AAAAA/' -e '/^AA*$/%{accesses}' %s | %{outline} -mcpu=nehalem | FileCheck %s --check-prefix=STAY
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; NEHALEM-LABEL: define void @many(
; NEHALEM-NEXT: call <64 x i32> @falx.masked_load(ptr %at, <64 x i1> %m, <64 x i32> %x)
; NEHALEM-NEXT: call <64 x i8> @falx.masked_load.1(ptr %at, <64 x i1> %m, <64 x i8> %y)
; NEHALEM-NEXT: call void @falx.masked_store(<64 x i8> %y, ptr %at, <64 x i1> %m)
; NEHALEM-NEXT: call <64 x i32> @falx.masked_load(
; A mask that is known costs no branch.
; NEHALEM: call <64 x i32> @llvm.masked.load.v64i32.p0(ptr align 4 %at, <64 x i1> splat (i1 true)
; NEHALEM: call <64 x i32> @falx.masked_load.2(
; NEHALEM: ret void
; NEHALEM: define internal <64 x i32> @falx.masked_load(ptr %0, <64 x i1> %1, <64 x i32> %2) [[ATTRIBUTES:#[0-9]+]] {
; NEHALEM: call <64 x i32> @llvm.masked.load.v64i32.p0(ptr align 4 %0, <64 x i1> %1, <64 x i32> %2)
; NEHALEM: define internal <64 x i8> @falx.masked_load.1(
; NEHALEM: define internal void @falx.masked_store(
; NEHALEM: define internal <64 x i32> @falx.masked_load.2(
; NEHALEM: call <64 x i32> @llvm.masked.load.v64i32.p0(ptr align 16 %0,
; NEHALEM-NOT: define
; NEHALEM: attributes [[ATTRIBUTES]] = { noinline nounwind }

; AVX2 has masked loads of 32 bits.
; HASWELL-LABEL: define void @many(
; HASWELL-NEXT: call <64 x i32> @llvm.masked.load.v64i32.p0(ptr align 4 %at
; HASWELL-NEXT: call <64 x i8> @falx.masked_load(
; HASWELL-NEXT: call void @falx.masked_store(

; STAY-NOT: @falx
define void @many(ptr %at, <64 x i1> %m, <64 x i32> %x, <64 x i8> %y) {
AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
  call <64 x i32> @llvm.masked.load.v64i32.p0(ptr align 4 %at, <64 x i1> splat (i1 true), <64 x i32> %x)
  call <64 x i32> @llvm.masked.load.v64i32.p0(ptr align 16 %at, <64 x i1> %m, <64 x i32> %x)
  ret void
}
