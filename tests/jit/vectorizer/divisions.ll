; Integers of up to 32 bits are divided as doubles, which vectors can, or as floats if they have few bits; inactive lanes
; divide by 1. Longer ones are, too, as long as they are below 2^50. By numbers that all lanes share they are multiplied by
; the reciprocal. Quotients by constants of up to 32 bits are LLVM's, which multiplies.
; RUN: split-file %s %t
; RUN: falx-opt --passes=falx-lower-builtins,falx-vectorize -S %t/all.ll | FileCheck %t/all.ll
; RUN: falx-opt --passes=falx-lower-builtins,falx-vectorize -S %t/shared.ll | FileCheck %t/shared.ll
; RUN: falx-opt -mtriple=x86_64-linux-gnu -mcpu=haswell --passes=falx-lower-builtins,falx-vectorize -S %t/unsigned.ll | FileCheck %t/unsigned.ll
; RUN: falx-opt --passes=falx-lower-builtins,falx-vectorize -S %t/constants.ll | FileCheck %t/constants.ll
; RUN: falx-opt --passes=falx-lower-builtins,falx-vectorize -S %t/rows.ll | FileCheck %t/rows.ll
; RUN: falx-opt --passes=falx-lower-builtins,falx-vectorize -S %t/short_rows.ll | FileCheck %t/short_rows.ll

;--- all.ll
declare i64 @__falx_global_id_x()

; CHECK-LABEL: define internal void @kernel.work_item.lanes(
; CHECK: %[[DIVISOR:.*]] = select <4 x i1> %active, <4 x i32> %y, <4 x i32> splat (i32 1)
; CHECK: %[[A:.*]] = uitofp <4 x i32> %x to <4 x double>
; CHECK: %[[B:.*]] = uitofp <4 x i32> %[[DIVISOR]] to <4 x double>
; CHECK: %[[EXACT:.*]] = fdiv <4 x double> %[[A]], %[[B]]
; CHECK: fptoui <4 x double> %[[EXACT]] to <4 x i32>
; CHECK: %[[DIVISOR:.*]] = select <4 x i1> %active
; CHECK: sitofp <4 x i32> %x to <4 x double>
; CHECK: fdiv
; CHECK: %[[QUOTIENT:.*]] = fptosi <4 x double>
; CHECK: %[[WHOLE:.*]] = mul <4 x i32> %[[QUOTIENT]], %[[DIVISOR]]
; CHECK: sub <4 x i32> %x, %[[WHOLE]]
; CHECK: udiv <4 x i32> %{{.*}}, splat (i32 7)
; What is extended is not large.
; CHECK: %[[LOWER:.*]] = select <4 x i1> %active, <4 x i64> %other, <4 x i64> splat (i64 1)
; CHECK: %[[IS_LARGE:.*]] = icmp uge <4 x i64> %[[LOWER]], splat (i64 1125899906842624)
; CHECK: select <4 x i1> %active, <4 x i1> %[[IS_LARGE]], <4 x i1> zeroinitializer
; CHECK: br i1 %{{.*}}, label %large.quotients, label %small.quotients, !prof
; CHECK: large.quotients:
; CHECK: br label %lane
; CHECK: small.quotients:
; CHECK: %[[BITS:.*]] = add <4 x i64> %wide, splat (i64 4841369599423283200)
; CHECK: %[[A:.*]] = bitcast <4 x i64> %[[BITS]] to <4 x double>
; CHECK: %[[NUMBER:.*]] = fsub <4 x double> %[[A]], splat (double 0x4330000000000000)
; CHECK: %[[EXACT:.*]] = fdiv <4 x double> %[[NUMBER]], %[[BY:.*]]
; CHECK: %[[WHOLE:.*]] = call <4 x double> @llvm.trunc.v4f64(<4 x double> %[[EXACT]])
; CHECK: %[[PRODUCT:.*]] = fmul <4 x double> %[[WHOLE]], %[[BY]]
; CHECK: fsub <4 x double> %[[NUMBER]], %[[PRODUCT]]
; CHECK: fadd <4 x double> %[[WHOLE]], splat (double 0x4330000000000000)
; CHECK: %[[SMALL:.*]] = sub <4 x i64> %{{.*}}, splat (i64 4841369599423283200)
; CHECK: behind{{.*}}:
; CHECK: phi <4 x i64> [ %[[LARGE:.*]], %lane.end ], [ %[[SMALL]], %small.quotients ]
; CHECK: sitofp <4 x i8> %narrow.x to <4 x float>
; CHECK: fdiv <4 x float>
; CHECK: fptosi <4 x float> %{{.*}} to <4 x i8>
; CHECK: lane:
; CHECK: udiv i64
; CHECK: br i1 %{{.*}}, label %lane.end, label %lane, !llvm.loop
; CHECK: %[[LARGE]] = load <4 x i64>
define void @kernel(ptr %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="4" {
  %id = call i64 @__falx_global_id_x()
  %data = load ptr, ptr %f
  %at = getelementptr i32, ptr %data, i64 %id
  %x = load i32, ptr %at
  %y.at = getelementptr i32, ptr %at, i64 1000
  %y = load i32, ptr %y.at
  %quotient = udiv i32 %x, %y
  %rest = srem i32 %x, %y
  %sum = add i32 %quotient, %rest
  %seventh = udiv i32 %sum, 7
  %wide = zext i32 %x to i64
  %other = zext i32 %y to i64
  %wide.quotient = udiv i64 %wide, %other
  %1 = trunc i64 %wide.quotient to i32
  %narrow.x = trunc i32 %x to i8
  %narrow.y = trunc i32 %y to i8
  %narrow = sdiv i8 %narrow.x, %narrow.y
  %2 = sext i8 %narrow to i32
  %3 = add i32 %seventh, %1
  %4 = add i32 %3, %2
  store i32 %4, ptr %at
  ret void
}

;--- shared.ll
declare i64 @__falx_global_id_x()

; One unit in the last place more than the reciprocal, of a number that is not zero.
; CHECK-LABEL: define internal void @kernel.work_item.lanes(
; CHECK: %[[ZERO:.*]] = icmp eq i32 %[[M:.*]], 0
; CHECK: %[[DIVISOR:.*]] = select i1 %[[ZERO]], i32 1, i32 %[[M]]
; CHECK: sitofp <4 x i32> %x to <4 x double>
; CHECK: %[[EXACT:.*]] = sitofp i32 %[[DIVISOR]] to double
; CHECK: %[[NEAREST:.*]] = fdiv double 1.000000e+00, %[[EXACT]]
; CHECK: %[[BITS:.*]] = bitcast double %[[NEAREST]] to i64
; CHECK: add i64 %[[BITS]], 1
; CHECK-NOT: fdiv
; CHECK: fmul <4 x double>
; CHECK-NOT: fdiv
; CHECK: fptosi <4 x double> %{{.*}} to <4 x i32>
; Few bits: floats.
; CHECK: sitofp <4 x i32> %few to <4 x float>
; CHECK: fdiv float 1.000000e+00
; CHECK: fmul <4 x float>
; CHECK: fptosi <4 x float> %{{.*}} to <4 x i32>
; Longer dividends alone are asked for, and signed ones are between two limits.
; CHECK: %[[MOVED:.*]] = add <4 x i64> %{{.*}}, splat (i64 1125899906842624)
; CHECK: icmp uge <4 x i64> %[[MOVED]], splat (i64 2251799813685248)
; CHECK-NOT: fdiv <
define void @kernel(ptr %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="4" {
  %id = call i64 @__falx_global_id_x()
  %data = load ptr, ptr %f, !invariant.load !0
  %m.at = getelementptr i8, ptr %f, i64 8
  %m = load i32, ptr %m.at, !invariant.load !0
  %long.m.at = getelementptr i8, ptr %f, i64 16
  %long.m = load i64, ptr %long.m.at, !invariant.load !0
  %at = getelementptr i32, ptr %data, i64 %id
  %x = load i32, ptr %at
  %quotient = sdiv i32 %x, %m
  %few = and i32 %x, 4194303
  %of.few = udiv i32 %few, %m
  %long.at = getelementptr i64, ptr %data, i64 %id
  %y = load i64, ptr %long.at
  %of.long = srem i64 %y, %long.m
  store i64 %of.long, ptr %long.at
  %sum = add i32 %quotient, %of.few
  store i32 %sum, ptr %at
  ret void
}

!0 = !{}

;--- unsigned.ll
declare i64 @__falx_global_id_x()

; AVX2 converts signed numbers: less 2^31, and that is added again.
; CHECK-LABEL: define internal void @kernel.work_item.lanes(
; CHECK: %[[MOVED:.*]] = xor <8 x i32> %x, splat (i32 -2147483648)
; CHECK: %[[NUMBER:.*]] = sitofp <8 x i32> %[[MOVED]] to <8 x double>
; CHECK: fadd <8 x double> %[[NUMBER]], splat (double 0x41E0000000000000)
; CHECK: fmul <8 x double>
; CHECK: %[[WHOLE:.*]] = call <8 x double> @llvm.trunc.v8f64(
; CHECK: %[[LESS:.*]] = fsub <8 x double> %[[WHOLE]], splat (double 0x41E0000000000000)
; CHECK: %[[QUOTIENT:.*]] = fptosi <8 x double> %[[LESS]] to <8 x i32>
; CHECK: xor <8 x i32> %[[QUOTIENT]], splat (i32 -2147483648)
define void @kernel(ptr %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="8" {
  %id = call i64 @__falx_global_id_x()
  %data = load ptr, ptr %f, !invariant.load !0
  %m.at = getelementptr i8, ptr %f, i64 8
  %m = load i32, ptr %m.at, !invariant.load !0
  %at = getelementptr i32, ptr %data, i64 %id
  %x = load i32, ptr %at
  %quotient = udiv i32 %x, %m
  store i32 %quotient, ptr %at
  ret void
}

!0 = !{}

;--- constants.ll
declare i64 @__falx_global_id_x()

; Products of 128 bits are long; large numbers have them.
; CHECK-LABEL: define internal void @kernel.work_item.lanes(
; CHECK: br i1 %{{.*}}, label %large.quotients, label %small.quotients, !prof
; CHECK: large.quotients:
; CHECK: udiv <4 x i64> %x, splat (i64 1000)
; CHECK: small.quotients:
; CHECK: fmul <4 x double> %{{.*}}, splat (double 0x3F50624DD2F1A9FD)
; CHECK: udiv <4 x i64> %{{.*}}, splat (i64 1024)
define void @kernel(ptr %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="4" {
  %id = call i64 @__falx_global_id_x()
  %data = load ptr, ptr %f, !invariant.load !0
  %at = getelementptr i64, ptr %data, i64 %id
  %x = load i64, ptr %at
  %quotient = udiv i64 %x, 1000
  %shifted = udiv i64 %quotient, 1024
  store i64 %shifted, ptr %at
  ret void
}

!0 = !{}

;--- rows.ll
declare i64 @__falx_global_id_x()

; Rows and columns: one division for all lanes, and for both.
; CHECK-LABEL: define internal void @kernel.work_item.lanes(
; CHECK: %width = load i64
; CHECK: %[[EXACT:.*]] = icmp ule i64 %{{.*}}, -4
; CHECK: %[[LONG:.*]] = icmp ugt i64 %width, 3
; CHECK: %[[NEAR:.*]] = and i1 %[[EXACT]], %[[LONG]]
; CHECK: br i1 %[[NEAR]], label %one.quotient, label %quotients, !prof
; CHECK: one.quotient:
; CHECK: %[[QUOTIENT:.*]] = udiv i64 %[[FIRST:.*]], %width
; CHECK: %[[WHOLE:.*]] = mul i64 %[[QUOTIENT]], %width
; CHECK: %[[REST:.*]] = sub i64 %[[FIRST]], %[[WHOLE]]
; CHECK: sub i64 %width, %[[REST]]
; CHECK: icmp uge <4 x i64> <i64 0, i64 1, i64 2, i64 3>
; CHECK-NOT: = {{udiv|urem}}
; CHECK: lane:
; CHECK: udiv i64
; CHECK-NOT: = {{udiv|urem}}
define void @kernel(ptr %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="4" "falx-no-offset" {
  %id = call i64 @__falx_global_id_x()
  %width = load i64, ptr %f, !invariant.load !0
  %row = udiv i64 %id, %width
  %column = urem i64 %id, %width
  %data.at = getelementptr i8, ptr %f, i64 8
  %data = load ptr, ptr %data.at, !invariant.load !0
  %at = getelementptr i64, ptr %data, i64 %id
  %sum = xor i64 %row, %column
  store i64 %sum, ptr %at
  ret void
}

!0 = !{}

;--- short_rows.ll
declare i64 @__falx_global_id_x()

; Of 32 bits, the quotients of all lanes take no more than one of them and what follows from it.
; CHECK-LABEL: define internal void @kernel.work_item.lanes(
; CHECK-NOT: one.quotient
; CHECK: fmul <4 x double>
; CHECK-NOT: {{sdiv|srem}}
define void @kernel(ptr %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="4" "falx-no-offset" {
  %id = call i64 @__falx_global_id_x()
  %width = load i32, ptr %f, !invariant.load !0
  %number = trunc i64 %id to i32
  %moved = add i32 %number, -9
  %column = srem i32 %moved, %width
  %data.at = getelementptr i8, ptr %f, i64 8
  %data = load ptr, ptr %data.at, !invariant.load !0
  %at = getelementptr i32, ptr %data, i64 %id
  store i32 %column, ptr %at
  ret void
}

!0 = !{}
