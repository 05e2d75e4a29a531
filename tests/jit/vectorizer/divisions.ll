; Integers of up to 32 bits are divided as doubles, which vectors can; inactive lanes divide by 1. Longer ones are, too,
; as long as they are below 2^52. Quotients by constants are LLVM's, which multiplies.
; RUN: split-file %s %t
; RUN: falx-opt --passes=falx-lower-builtins,falx-vectorize -S %t/all.ll | FileCheck %t/all.ll
; RUN: falx-opt --passes=falx-lower-builtins,falx-vectorize -S %t/rows.ll | FileCheck %t/rows.ll
; RUN: falx-opt --passes=falx-lower-builtins,falx-vectorize -S %t/signed.ll | FileCheck %t/signed.ll

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
; CHECK: %[[EITHER:.*]] = or <4 x i64> %[[UPPER:.*]], %[[LOWER:.*]]
; CHECK: %[[IS_LARGE:.*]] = icmp uge <4 x i64> %[[EITHER]], splat (i64 4503599627370496)
; CHECK: select <4 x i1> %active, <4 x i1> %[[IS_LARGE]], <4 x i1> zeroinitializer
; CHECK: br i1 %{{.*}}, label %large.quotients, label %small.quotients, !prof
; CHECK: large.quotients:
; CHECK: br label %lane
; CHECK: small.quotients:
; CHECK: %[[BITS:.*]] = or <4 x i64> %[[UPPER]], splat (i64 4841369599423283200)
; CHECK: %[[A:.*]] = bitcast <4 x i64> %[[BITS]] to <4 x double>
; CHECK: fsub <4 x double> %[[A]], splat (double 0x4330000000000000)
; CHECK: %[[EXACT:.*]] = fdiv <4 x double>
; CHECK: fadd <4 x double> %[[EXACT]], splat (double 0x4330000000000000)
; CHECK: fcmp ogt <4 x double> %{{.*}}, %[[EXACT]]
; CHECK: %[[SMALL:.*]] = xor <4 x i64> %{{.*}}, splat (i64 4841369599423283200)
; CHECK: behind{{.*}}:
; CHECK: phi <4 x i64> [ %[[LARGE:.*]], %lane.end ], [ %[[SMALL]], %small.quotients ]
; CHECK: fptosi <4 x double> %{{.*}} to <4 x i8>
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

;--- signed.ll
declare i64 @__falx_global_id_x()

; Signed ones are neither negative nor by a negative number there.
; CHECK-LABEL: define internal void @kernel.work_item.lanes(
; CHECK: %[[EXACT:.*]] = icmp ule i32 %{{.*}}, 2147483644
; CHECK: %[[LONG:.*]] = icmp sgt i32 %width, 3
; CHECK: and i1 %[[EXACT]], %[[LONG]]
; CHECK: one.quotient:
; CHECK: udiv i32
; CHECK: quotients:
; CHECK: fdiv <4 x double>
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
