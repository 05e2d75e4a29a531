; Vectors of a program's own are taken apart, also where elements change their size, and where they are combined.
; RUN: falx-opt --passes=falx-lower-builtins,falx-vectorize -S %s | FileCheck %s

declare i64 @__falx_global_id_x()
declare i32 @llvm.vector.reduce.add.v4i32(<4 x i32>)
declare float @llvm.vector.reduce.fadd.v2f32(float, <2 x float>)
declare i16 @llvm.vector.reduce.smax.v2i16(<2 x i16>)

; CHECK-LABEL: define internal void @kernel.work_item.lanes(
define void @kernel(ptr %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="8" "falx-no-offset" {
  %id = call i64 @__falx_global_id_x()
  %in = load ptr, ptr %f
  %at = getelementptr i32, ptr %in, i64 %id
  %x = load i32, ptr %at
; An element of an unknown number, then the third byte: of kernel 485 of seed 2.
; CHECK: %[[X:.*]] = call <8 x i32> @llvm.masked.load.v8i32
; CHECK: %[[V0:.*]] = select <8 x i1> %{{.*}}, <8 x i32> %[[X]], <8 x i32> zeroinitializer
; CHECK: %[[SHIFTED:.*]] = lshr <8 x i32> %[[V0]], splat (i32 16)
; CHECK: trunc <8 x i32> %[[SHIFTED]] to <8 x i8>
  %number = urem i32 %x, 3
  %v = insertelement <3 x i32> zeroinitializer, i32 %x, i32 %number
  %bytes = bitcast <3 x i32> %v to <12 x i8>
  %byte = extractelement <12 x i8> %bytes, i64 2
  %byte.at = getelementptr i8, ptr %f, i64 8
  %out = load ptr, ptr %byte.at, !invariant.load !0
  %out.at = getelementptr [8 x i64], ptr %out, i64 %id
  store i8 %byte, ptr %out.at
; Two halves of a word, and back: a quarter of it that no element is.
; CHECK: %[[LOW:.*]] = zext <8 x i32> %{{.*}} to <8 x i64>
; CHECK: %[[HIGH:.*]] = zext <8 x i32> %{{.*}} to <8 x i64>
; CHECK: %[[UP:.*]] = shl <8 x i64> %[[HIGH]], splat (i64 32)
; CHECK: or <8 x i64> %[[LOW]], %[[UP]]
  %y = xor i32 %x, 5
  %low = insertelement <2 x i32> poison, i32 %x, i64 0
  %both = insertelement <2 x i32> %low, i32 %y, i64 1
  %word = bitcast <2 x i32> %both to i64
  %word.at = getelementptr i8, ptr %out.at, i64 8
  store i64 %word, ptr %word.at
; Elements of 24 bits span two of 16: nothing divides the other.
; CHECK: %[[TOP:.*]] = lshr <8 x i48> %{{.*}}, splat (i48 24)
; CHECK: trunc <8 x i48> %[[TOP]] to <8 x i24>
  %wide = zext i32 %y to i48
  %triples = bitcast i48 %wide to <2 x i24>
  %triple = extractelement <2 x i24> %triples, i64 1
  %triple.wide = zext i24 %triple to i64
  %triple.at = getelementptr i8, ptr %out.at, i64 16
  store i64 %triple.wide, ptr %triple.at
; Sums and the largest of a vector, in the order of its elements.
; CHECK-COUNT-3: add <8 x i32>
  %four.0 = insertelement <4 x i32> splat (i32 7), i32 %x, i64 0
  %four = insertelement <4 x i32> %four.0, i32 %y, i64 3
  %sum = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %four)
  %sum.at = getelementptr i8, ptr %out.at, i64 24
  store i32 %sum, ptr %sum.at
; CHECK: %[[FIRST:.*]] = fadd <8 x float> splat (float 1.0{{.*}}), %{{.*}}
; CHECK: fadd <8 x float> %[[FIRST]],
  %floats = bitcast <2 x i32> %both to <2 x float>
  %total = call float @llvm.vector.reduce.fadd.v2f32(float 1.0, <2 x float> %floats)
  %total.at = getelementptr i8, ptr %out.at, i64 32
  store float %total, ptr %total.at
; CHECK: call <8 x i16> @llvm.smax.v8i16(
  %shorts = bitcast i32 %x to <2 x i16>
  %most = call i16 @llvm.vector.reduce.smax.v2i16(<2 x i16> %shorts)
  %most.at = getelementptr i8, ptr %out.at, i64 40
  store i16 %most, ptr %most.at
; CHECK: ret void
  ret void
}
!0 = !{}
