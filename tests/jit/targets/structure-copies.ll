; Copies of small structures are words; a variable between two of them is gone.
; RUN: falx-opt -mtriple=x86_64-linux-gnu --passes='falx-copy-by-words,verify' -S %s | FileCheck %s
; As vectors they are loaded and stored as they lie: LLVM finds that all shuffles together do nothing.
; RUN: falx-opt -mtriple=x86_64-linux-gnu -mcpu=haswell -S %s \
; RUN:   --passes='falx-copy-by-words,sroa,falx-lower-builtins,falx-vectorize-range,falx-kernel-function,always-inline,default<O2>' \
; RUN:   | FileCheck %s --check-prefix=VECTORS

declare i64 @__falx_global_id_x()
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @use(ptr)

; CHECK-LABEL: define void @kernel(
; CHECK-NOT: call void @llvm.memcpy
; CHECK: load i64, ptr %from, align 16
; CHECK: getelementptr inbounds i8, ptr %from, i64 8
; CHECK: load i64, ptr %{{.*}}, align 8
; CHECK: store i64 %{{.*}}, ptr %swapped
; CHECK: ret void

; VECTORS-LABEL: define internal void @kernel(
; VECTORS-COUNT-8: load <4 x i64>
; VECTORS-NOT: shufflevector <{{[0-9]+}} x i64>
; VECTORS-COUNT-8: store <4 x i64>
; VECTORS-NOT: shufflevector <{{[0-9]+}} x i64>
; VECTORS: ret void
define void @kernel(ptr dereferenceable(16) %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="8" {
  %swapped = alloca [16 x i8], align 16
  %to.all = load ptr, ptr %f
  %second = getelementptr i8, ptr %f, i64 8
  %from.all = load ptr, ptr %second
  %id = call i64 @__falx_global_id_x()
  %to = getelementptr [16 x i8], ptr %to.all, i64 %id
  %from = getelementptr [16 x i8], ptr %from.all, i64 %id
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %swapped, ptr align 16 %from, i64 16, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %from, ptr align 16 %to, i64 16, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %to, ptr align 16 %swapped, i64 16, i1 false)
  ret void
}

; Words of eight bytes or four, of which there are two, three or five.
; CHECK-LABEL: define void @sizes(
; CHECK-COUNT-3: load i32
; CHECK-COUNT-3: store i32
; CHECK-COUNT-5: load i64, ptr %{{.*}}, align 1
; CHECK-COUNT-5: store i64
; CHECK: call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr %b, i64 32, i1 false)
; CHECK: call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr %b, i64 7, i1 false)
; CHECK: call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr %b, i64 16, i1 true)
; CHECK: call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr %b, i64 %n, i1 false)
define void @sizes(ptr %a, ptr %b, i64 %n) {
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %a, ptr align 4 %b, i64 12, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr %b, i64 40, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr %b, i64 32, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr %b, i64 7, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr %b, i64 16, i1 true)
  call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr %b, i64 %n, i1 false)
  ret void
}

; A variable whose members are used becomes values of their types.
; CHECK-LABEL: define void @members(
; CHECK: call void @llvm.memcpy
define void @members(ptr %a) {
  %variable = alloca [4 x float]
  call void @llvm.memcpy.p0.p0.i64(ptr %variable, ptr %a, i64 16, i1 false)
  call void @use(ptr %variable)
  ret void
}
