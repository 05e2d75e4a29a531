; Gathers and scatters get signed indices of 32 bits, so that all lanes fit into a register.
; RUN: falx-opt -mtriple=x86_64 -mcpu=sapphirerapids --passes=falx-gather-indices -S %s | FileCheck %s
; RUN: falx-opt -mtriple=x86_64 -mcpu=sapphirerapids --passes=falx-gather-indices -S %s | llc -mtriple=x86_64 -mcpu=sapphirerapids | FileCheck %s --check-prefixes=CODE,AVX512
; RUN: falx-opt -mtriple=x86_64 -mcpu=skylake --passes=falx-gather-indices -S %s | llc -mtriple=x86_64 -mcpu=skylake | FileCheck %s --check-prefixes=CODE,AVX2
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Unsigned: as a signed number, 2^31 less.
; CHECK-LABEL: @unsigned(
; CHECK: [[I:%.*]] = xor <8 x i32> %i, splat (i32 -2147483648)
; CHECK: [[BASE:%.*]] = getelementptr i8, ptr %data, i64 8589934592
; CHECK: [[AT:%.*]] = getelementptr i32, ptr [[BASE]], <8 x i32> [[I]]
; CHECK: call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> align 4 [[AT]]
; CODE-LABEL: unsigned:
; CODE: vgatherdps {{.*}},%ymm{{[0-9]+}},4)
define <8 x float> @unsigned(ptr %data, <8 x i32> %i, <8 x i1> %mask) {
  %wide = zext <8 x i32> %i to <8 x i64>
  %at = getelementptr inbounds float, ptr %data, <8 x i64> %wide
  %x = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> align 4 %at, <8 x i1> %mask, <8 x float> zeroinitializer)
  ret <8 x float> %x
}

; More lanes than a register has.
; CODE-LABEL: long_vector:
; AVX512: vgatherdps ({{.*}},%zmm{{[0-9]+}},4)
; AVX512: vgatherdps ({{.*}},%zmm{{[0-9]+}},4)
; AVX512-NOT: gather
; AVX2-COUNT-4: vgatherdps {{.*}}%ymm
; AVX2-NOT: gather
; CODE: retq
define <32 x float> @long_vector(ptr %data, <32 x i32> %i, <32 x i1> %mask) {
  %wide = zext <32 x i32> %i to <32 x i64>
  %at = getelementptr inbounds float, ptr %data, <32 x i64> %wide
  %x = call <32 x float> @llvm.masked.gather.v32f32.v32p0(<32 x ptr> align 4 %at, <32 x i1> %mask, <32 x float> zeroinitializer)
  ret <32 x float> %x
}

; Numbers that are not negative are signed numbers as they are.
; CHECK-LABEL: @not_negative(
; CHECK-NOT: xor
; CHECK: getelementptr i64, ptr %data, <4 x i32> %i
; CODE-LABEL: not_negative:
; CODE: vgatherdpd {{.*}}(%rdi,%xmm{{[0-9]+}},8)
define <4 x double> @not_negative(ptr %data, <4 x i32> %i, <4 x i1> %mask) {
  %wide = zext nneg <4 x i32> %i to <4 x i64>
  %at = getelementptr inbounds double, ptr %data, <4 x i64> %wide
  %x = call <4 x double> @llvm.masked.gather.v4f64.v4p0(<4 x ptr> align 8 %at, <4 x i1> %mask, <4 x double> zeroinitializer)
  ret <4 x double> %x
}

; What all lanes add goes to the base: sums, factors, members of structures, the same pointer for all.
; CHECK-LABEL: @sum(
; CHECK: [[I:%.*]] = xor <8 x i32> %i, splat (i32 -2147483648)
; CHECK: [[START:%.*]] = mul i64 %start, 8
; CHECK: [[FIRST:%.*]] = getelementptr i8, ptr %data, i64 [[START]]
; CHECK: [[BASE:%.*]] = getelementptr i8, ptr [[FIRST]], i64 17179869188
; CHECK: [[AT:%.*]] = getelementptr i64, ptr [[BASE]], <8 x i32> [[I]]
; CHECK: call void @llvm.masked.scatter.v8i32.v8p0(<8 x i32> %x, <8 x ptr> align 4 [[AT]]
; CODE-LABEL: sum:
; AVX512: vpscatterdd {{.*}}ymm{{[0-9]+}},8)
define void @sum(ptr %data, i64 %start, <8 x i32> %i, <8 x i32> %x, <8 x i1> %mask) {
  %first = insertelement <8 x i64> poison, i64 %start, i64 0
  %starts = shufflevector <8 x i64> %first, <8 x i64> poison, <8 x i32> zeroinitializer
  %wide = zext <8 x i32> %i to <8 x i64>
  %index = add <8 x i64> %starts, %wide
  %at = getelementptr inbounds { i32, i32 }, ptr %data, <8 x i64> %index
  %member = getelementptr inbounds i8, <8 x ptr> %at, i64 4
  call void @llvm.masked.scatter.v8i32.v8p0(<8 x i32> %x, <8 x ptr> align 4 %member, <8 x i1> %mask)
  ret void
}

; CHECK-LABEL: @signed_sum(
; CHECK-NOT: xor
; CHECK: [[START:%.*]] = mul i64 %start, 4
; CHECK: [[BASE:%.*]] = getelementptr i8, ptr %data, i64 [[START]]
; CHECK: getelementptr i32, ptr [[BASE]], <8 x i32> %i
; CODE-LABEL: signed_sum:
; CODE: vgatherdps {{.*}}%ymm
define <8 x float> @signed_sum(ptr %data, i64 %start, <8 x i32> %i, <8 x i1> %mask) {
  %first = insertelement <8 x i64> poison, i64 %start, i64 0
  %starts = shufflevector <8 x i64> %first, <8 x i64> poison, <8 x i32> zeroinitializer
  %wide = sext <8 x i32> %i to <8 x i64>
  %index = add <8 x i64> %wide, %starts
  %at = getelementptr float, ptr %data, <8 x i64> %index
  %x = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> align 4 %at, <8 x i1> %mask, <8 x float> zeroinitializer)
  ret <8 x float> %x
}

; Shorter ones, which are never negative, and a factor.
; CHECK-LABEL: @short(
; CHECK: [[I:%.*]] = zext <8 x i16> %i to <8 x i32>
; CHECK: getelementptr i64, ptr {{.*}}, <8 x i32> [[I]]
define <8 x float> @short(ptr %data, <8 x i16> %i, <8 x i1> %mask) {
  %wide = zext <8 x i16> %i to <8 x i64>
  %twice = shl <8 x i64> %wide, splat (i64 1)
  %at = getelementptr float, ptr %data, <8 x i64> %twice
  %x = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> align 4 %at, <8 x i1> %mask, <8 x float> zeroinitializer)
  ret <8 x float> %x
}

; LLVM does these by itself.
; CHECK-LABEL: @signed(
; CHECK: getelementptr float, ptr %data, <8 x i64> %wide
; CODE-LABEL: signed:
; CODE: vgatherdps {{.*}}(%rdi,%ymm{{[0-9]+}},4)
define <8 x float> @signed(ptr %data, <8 x i32> %i, <8 x i1> %mask) {
  %wide = sext <8 x i32> %i to <8 x i64>
  %at = getelementptr float, ptr %data, <8 x i64> %wide
  %x = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> align 4 %at, <8 x i1> %mask, <8 x float> zeroinitializer)
  ret <8 x float> %x
}

; These stay: a scale that gathers do not have, elements without an instruction, two indices that vary, and numbers of 64 bits.
; CHECK-LABEL: @others(
; CHECK-NOT: xor
; CHECK: getelementptr { i32, i32, i32 }, ptr %data, <8 x i64> %wide
; CHECK: getelementptr i8, ptr %data, <8 x i64> %wide
; CHECK: add <8 x i64> %wide, %more
; CHECK-NOT: xor
; CHECK: ret
define <8 x i32> @others(ptr %data, <8 x i32> %i, <8 x i32> %j, <8 x i64> %k, <8 x i1> %mask) {
  %wide = zext <8 x i32> %i to <8 x i64>
  %more = zext <8 x i32> %j to <8 x i64>
  %a = getelementptr { i32, i32, i32 }, ptr %data, <8 x i64> %wide
  %x = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> align 4 %a, <8 x i1> %mask, <8 x i32> zeroinitializer)
  %b = getelementptr i8, ptr %data, <8 x i64> %wide
  %y = call <8 x i128> @llvm.masked.gather.v8i128.v8p0(<8 x ptr> align 1 %b, <8 x i1> %mask, <8 x i128> zeroinitializer)
  %sum = add <8 x i64> %wide, %more
  %c = getelementptr i32, ptr %data, <8 x i64> %sum
  %z = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> align 4 %c, <8 x i1> %mask, <8 x i32> %x)
  %d = getelementptr i32, ptr %data, <8 x i64> %k
  %w = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> align 4 %d, <8 x i1> %mask, <8 x i32> %z)
  %t = trunc <8 x i128> %y to <8 x i32>
  %r = add <8 x i32> %t, %w
  ret <8 x i32> %r
}
