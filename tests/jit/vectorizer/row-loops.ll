; Each work-item goes through a row of its own, as far as all others: eight elements at once, from each lane's address, and
; transposed; what is left one by one. Counters of 32 bits do not hide that elements are neighbours.
; DEFINE: %{loop} = falx-opt -mtriple=x86_64 -mcpu=haswell --passes=falx-lower-builtins,falx-unroll-constant-loops,falx-unroll-row-loops
; RUN: %{loop} -S %s | FileCheck %s --check-prefix=LOOP
; RUN: %{loop},falx-vectorize-range -S %s | FileCheck %s --check-prefix=VECTOR
; Without an instruction that gathers it pays as well.
; RUN: sed -e 's/size"="8"/size"="4"/' %s | falx-opt -mtriple=x86_64 -mcpu=nehalem --passes=falx-lower-builtins,falx-unroll-constant-loops,falx-unroll-row-loops,falx-vectorize-range -S - | FileCheck %s --check-prefix=SSE
; Vectors of eight elements stand side by side where registers have room for two.
; RUN: sed -e 's/size"="8"/size"="16" "falx-masked-operations"/' %s | falx-opt -mtriple=x86_64 -mcpu=skylake-avx512 --passes=falx-lower-builtins,falx-unroll-constant-loops,falx-unroll-row-loops,falx-vectorize-range -S - | FileCheck %s --check-prefix=WIDE
; Rows a constant distance apart are as much rows.
; RUN: sed -e 's/mul nsw i32 %row, %length/shl nsw i32 %row, 5/' %s > %t.ll
; RUN: %{loop} -S %t.ll | FileCheck %s --check-prefix=LOOP
; RUN: %{loop},falx-vectorize-range -S %t.ll | FileCheck %s --check-prefix=STRIDED
; Those of two elements have no place for four; consecutive elements need none.
; RUN: sed -e 's/mul nsw i32 %row, %length/shl nsw i32 %row, 1/' %s | %{loop} -S - | FileCheck %s --check-prefix=NARROW
; RUN: sed -e 's/mul nsw i32 %row, %length/add nsw i32 %row, %length/' %s | %{loop} -S - | FileCheck %s --check-prefix=AS-IT-WAS

declare i64 @__falx_global_id_x()

; LOOP-LABEL: define internal void @kernel.work_item(
; LOOP: %[[LEFT:.*]] = and i32 %length, 7
; LOOP: phi i64
; LOOP-COUNT-8: load float
; LOOP: phi i64
; LOOP: load float
; LOOP-NOT: load float

; VECTOR-LABEL: define internal void @kernel.work_item.lanes(
; VECTOR-COUNT-8: call <8 x float> @llvm.masked.load.v8f32.p0(
; VECTOR-COUNT-24: shufflevector <8 x float> %{{.*}}, <8 x float> %
; VECTOR: call <8 x float> @llvm.masked.gather.v8f32.v8p0(
; VECTOR-NOT: llvm.masked.gather
; VECTOR: ret void

; WIDE-LABEL: define internal void @kernel.work_item.lanes(
; WIDE-COUNT-16: call <8 x float> @llvm.masked.load.v8f32.p0(
; WIDE-COUNT-8: shufflevector <8 x float> %{{.*}}, <8 x float> %{{.*}}, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
; WIDE: shufflevector <16 x float> %{{.*}}, <16 x float> %{{.*}}, <16 x i32> <i32 0, i32 16, i32 1, i32 17, i32 2, i32 18, i32 3, i32 19, i32 8, i32 24, i32 9, i32 25, i32 10, i32 26, i32 11, i32 27>
; WIDE-COUNT-23: shufflevector <16 x float> %
; WIDE-NOT: shufflevector <8 x float>
; WIDE: ret void

; SSE-LABEL: define internal void @kernel.work_item.lanes(
; SSE-COUNT-4: call <4 x float> @llvm.masked.load.v4f32.p0(
; SSE: llvm.masked.gather

; STRIDED-LABEL: define internal void @kernel.work_item.lanes(
; STRIDED: shufflevector
; STRIDED: ret void

; NARROW-LABEL: define internal void @kernel.work_item(
; NARROW: and i32 %length, 1
; NARROW-COUNT-3: load float
; NARROW-NOT: load float

; AS-IT-WAS-LABEL: define internal void @kernel.work_item(
; AS-IT-WAS-COUNT-1: load float
; AS-IT-WAS-NOT: load float
define void @kernel(ptr align 8 dereferenceable(32) %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="8" "falx-no-offset" {
entry:
  %id = call i64 @__falx_global_id_x()
  %narrow = trunc i64 %id to i32
  %row = and i32 %narrow, 255
  br label %header

header:
  %k = phi i32 [ 0, %entry ], [ %k.next, %body ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %body ]
  %length = load i32, ptr %f, align 8, !invariant.load !0
  %goes.on = icmp slt i32 %k, %length
  br i1 %goes.on, label %body, label %end

body:
  %data.at = getelementptr i8, ptr %f, i64 8
  %data = load ptr, ptr %data.at, align 8, !invariant.load !0
  %start = mul nsw i32 %row, %length
  %place = add nsw i32 %start, %k
  %wide = sext i32 %place to i64
  %at = getelementptr inbounds float, ptr %data, i64 %wide
  %x = load float, ptr %at
  %sum.next = fadd float %sum, %x
  %k.next = add nuw nsw i32 %k, 1
  br label %header

end:
  %out.at = getelementptr i8, ptr %f, i64 16
  %out = load ptr, ptr %out.at, align 8, !invariant.load !0
  %to = getelementptr float, ptr %out, i64 %id
  store float %sum, ptr %to
  ret void
}

!0 = !{}
