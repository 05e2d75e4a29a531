; Where ids are divided by the length of a row, the lanes of one row run together: with one quotient, which is a parameter, and
; columns that follow each other. Lanes of other rows than lane 0's run as if nothing were known.
; RUN: split-file %s %t
; RUN: falx-opt --passes="falx-index-ranges,falx-lower-builtins,function(instcombine),falx-vectorize-range" -S %t/rows.ll | FileCheck %t/rows.ll
; RUN: falx-opt --passes="falx-index-ranges,falx-lower-builtins,function(instcombine),falx-vectorize-range,falx-kernel-function" -S %t/rows.ll | FileCheck --check-prefix=CALLS %t/rows.ll
; RUN: falx-opt --passes="falx-index-ranges,falx-lower-builtins,function(instcombine),falx-vectorize-range" -S %t/sub_groups.ll | FileCheck %t/sub_groups.ll
; RUN: falx-opt --passes="falx-index-ranges,falx-lower-builtins,function(instcombine),falx-vectorize-range" -S %t/signed.ll | FileCheck %t/signed.ll
; RUN: falx-opt --passes="falx-index-ranges,falx-lower-builtins,function(instcombine),falx-vectorize-range" -S %t/planes.ll | FileCheck %t/planes.ll
; RUN: falx-opt --passes="falx-index-ranges,falx-lower-builtins,function(instcombine),falx-vectorize-range" -S %t/quotient_divides.ll | FileCheck %t/quotient_divides.ll
; RUN: falx-opt --passes="falx-index-ranges,falx-lower-builtins,function(instcombine),falx-vectorize-range" -S %t/whole.ll | FileCheck %t/whole.ll

;--- rows.ll
declare i64 @__falx_global_id_x()

; Scalar loads and loads of consecutive elements: nothing is divided.
; CHECK-LABEL: define internal void @kernel.work_item.parted.lanes(
; CHECK-SAME: i64 %[[ROW:[^,]*]], i64 %{{[^,]*}}, i64 %{{[^,]*}}, i64 %{{[^,]*}}, <4 x i1> %active)
; CHECK: %[[BEGIN:.*]] = mul nuw nsw i64 %[[ROW]], %width
; CHECK: %[[COLUMN:.*]] = sub i64 %{{.*}}, %[[BEGIN]]
; CHECK: %[[AT:.*]] = getelementptr float, ptr %factors, i64 %[[COLUMN]]
; CHECK: call <4 x float> @llvm.masked.load.v4f32.p0(ptr align 4 %[[AT]], <4 x i1> %active
; CHECK: getelementptr float, ptr %sums, i64 %[[ROW]]
; CHECK-NOT: div
; CHECK-NOT: gather

; CHECK-LABEL: define internal void @kernel.work_item.lanes(
; CHECK: @llvm.masked.gather

; CHECK-LABEL: define internal void @kernel.work_item.parted.lanes.parts(
; CHECK: %[[WIDE:.*]] = icmp ugt i64 %{{.*}}, 3
; CHECK: br i1 %{{.*}}, label %row, label %rest
; CHECK: row:
; CHECK: %[[DIVISOR:.*]] = call i64 @llvm.umax.i64(i64 %{{.*}}, i64 4)
; CHECK: %quotient = udiv i64 %{{.*}}, %[[DIVISOR]]
; CHECK: %[[SAME:.*]] = icmp ule <4 x i32> <i32 0, i32 1, i32 2, i32 3>, %{{.*}}
; CHECK: %[[PART:.*]] = and <4 x i1> %[[ACTIVE:.*]], %[[SAME]]
; CHECK: %[[NOT:.*]] = xor <4 x i1> %[[PART]], splat (i1 true)
; CHECK: %[[OTHERS:.*]] = and <4 x i1> %[[ACTIVE]], %[[NOT]]
; CHECK: br i1 %{{.*}}, label %part, label %rest
; CHECK: part:
; CHECK: call void @kernel.work_item.parted.lanes({{.*}}, i64 %quotient, i64 0, i64 0, i64 0, <4 x i1> %[[PART]])
; CHECK: br i1 %{{.*}}, label %rest, label %part.end
; CHECK: rest:
; CHECK: %left = phi <4 x i1> [ %[[ACTIVE]], %entry ], [ %[[OTHERS]], %row ], [ %[[OTHERS]], %part ]
; CHECK: call void @kernel.work_item.lanes({{.*}}, <4 x i1> %left)

; CHECK-LABEL: define internal void @kernel.work_item.parted.lanes.vector(
; CHECK: br i1 %{{.*}}, label %whole, label %apart, !prof
; CHECK: whole:
; CHECK: call void @kernel.work_item.parted.lanes({{.*}}, <4 x i1> splat (i1 true))
; CHECK: apart:
; CHECK: call void @kernel.work_item.parted.lanes.parts({{.*}}, <4 x i1> %

; What is left of a range is some lanes only.
; CALLS-LABEL: define internal void @kernel(
; CALLS: call void @kernel.work_item.parted.lanes.vector({{.*}}, <4 x i1> splat (i1 true))
; CALLS: call void @kernel.work_item.parted.lanes.parts({{.*}}, <4 x i1> %active)
define void @kernel(ptr align 8 dereferenceable(32) %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="4" "falx-narrow" {
  %id = call range(i64 0, 2147483648) i64 @__falx_global_id_x()
  %width = load i64, ptr %f, !invariant.load !0
  %factors.at = getelementptr i8, ptr %f, i64 8
  %factors = load ptr, ptr %factors.at, !invariant.load !0
  %sums.at = getelementptr i8, ptr %f, i64 16
  %sums = load ptr, ptr %sums.at, !invariant.load !0
  %column = urem i64 %id, %width
  %row = udiv i64 %id, %width
  %at = getelementptr float, ptr %factors, i64 %column
  %x = load float, ptr %at
  %sum.at = getelementptr float, ptr %sums, i64 %row
  %y = load float, ptr %sum.at
  %z = fadd float %x, %y
  %out = getelementptr float, ptr %factors, i64 %id
  %out.at = getelementptr i8, ptr %out, i64 4096
  store float %z, ptr %out.at
  ret void
}
!0 = !{}

;--- sub_groups.ll
declare i64 @__falx_global_id_x()

; Of a vector of two sub-groups whose rows are short, and of what is left of a range, one after the other.
; CHECK: define internal void @kernel.work_item.rest.lanes({{.*}} #[[NOT_INLINE:[0-9]+]]
; CHECK-LABEL: define internal void @kernel.work_item.parted.lanes.parts(
; CHECK: rest:
; CHECK: sub.group:
; CHECK: %[[FIRST:.*]] = mul i64 %sub.group.index, 4
; CHECK: %[[BITS:.*]] = trunc i8 %{{.*}} to i4
; CHECK: %[[RUNS:.*]] = icmp ne i4 %[[BITS]], 0
; CHECK: br i1 %[[RUNS]], label %sub.group.runs, label %sub.group.end
; CHECK: %[[INDEX:.*]] = add i64 %index.x, %[[FIRST]]
; CHECK: %[[MASK:.*]] = bitcast i4 %[[BITS]] to <4 x i1>
; CHECK: call void @kernel.work_item.rest.lanes(ptr %function, i64 %[[INDEX]], {{.*}}, <4 x i1> %[[MASK]])
; CHECK: attributes #[[NOT_INLINE]] = { noinline
define void @kernel(ptr align 8 dereferenceable(16) %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="4" "falx-lanes"="8" "falx-narrow" {
  %id = call range(i64 0, 2147483648) i64 @__falx_global_id_x()
  %width = load i64, ptr %f, !invariant.load !0
  %data.at = getelementptr i8, ptr %f, i64 8
  %data = load ptr, ptr %data.at, !invariant.load !0
  %row = udiv i64 %id, %width
  %at = getelementptr float, ptr %data, i64 %row
  %x = load float, ptr %at
  %out = getelementptr float, ptr %data, i64 %id
  %out.at = getelementptr i8, ptr %out, i64 4096
  store float %x, ptr %out.at
  ret void
}
!0 = !{}

;--- signed.ll
declare i64 @__falx_global_id_x()

; Towards zero: a negative number's rest grows up to 0.
; CHECK-LABEL: define internal void @kernel.work_item.parted.lanes(
; CHECK: mul nsw i32
; CHECK-LABEL: define internal void @kernel.work_item.parted.lanes.parts(
; CHECK: icmp sgt i32 %{{.*}}, 3
; CHECK: call i32 @llvm.smax.i32(i32 %{{.*}}, i32 4)
; CHECK: %quotient = sdiv i32 %[[NUMBER:.*]], %
; CHECK: %[[REST:.*]] = sub i32 %[[NUMBER]], %
; CHECK: %[[IS_NEGATIVE:.*]] = icmp slt i32 %[[NUMBER]], 0
; CHECK: %[[UP:.*]] = sub i32 0, %[[REST]]
; CHECK: select i1 %[[IS_NEGATIVE]], i32 %[[UP]], i32 %
define void @kernel(ptr align 8 dereferenceable(16) %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="4" "falx-narrow" {
  %id = call range(i64 0, 2147483648) i64 @__falx_global_id_x()
  %i = trunc nuw nsw i64 %id to i32
  %number = add nsw i32 %i, -9
  %width = load i32, ptr %f, !invariant.load !0
  %data.at = getelementptr i8, ptr %f, i64 8
  %data = load ptr, ptr %data.at, !invariant.load !0
  %column = srem i32 %number, %width
  %wide = sext i32 %column to i64
  %at = getelementptr float, ptr %data, i64 %wide
  %x = load float, ptr %at
  %row = sdiv i32 %number, %width
  %wide.row = sext i32 %row to i64
  %sum.at = getelementptr float, ptr %data, i64 %wide.row
  %y = load float, ptr %sum.at
  %z = fadd float %x, %y
  %out = getelementptr float, ptr %data, i64 %id
  %out.at = getelementptr i8, ptr %out, i64 4096
  store float %z, ptr %out.at
  ret void
}
!0 = !{}

;--- planes.ll
declare i64 @__falx_global_id_x()

; What is left of one division is divided again.
; CHECK-LABEL: define internal void @kernel.work_item.parted.lanes(
; CHECK-NOT: {{[us](div|rem) }}
; CHECK-LABEL: define internal void @kernel.work_item.lanes(
; CHECK-LABEL: define internal void @kernel.work_item.parted.lanes.parts(
; CHECK: %quotient = udiv i64
; CHECK: %quotient[[SECOND:.*]] = udiv i64
; CHECK: call void @kernel.work_item.parted.lanes({{.*}}, i64 %quotient, i64 %quotient[[SECOND]], i64 0, i64 0, <4 x i1>
define void @kernel(ptr align 8 dereferenceable(24) %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="4" "falx-narrow" {
  %id = call range(i64 0, 2147483648) i64 @__falx_global_id_x()
  %width = load i64, ptr %f, !invariant.load !0
  %plane.at = getelementptr i8, ptr %f, i64 8
  %plane = load i64, ptr %plane.at, !invariant.load !0
  %data.at = getelementptr i8, ptr %f, i64 16
  %data = load ptr, ptr %data.at, !invariant.load !0
  %z = udiv i64 %id, %plane
  %rest = urem i64 %id, %plane
  %y = udiv i64 %rest, %width
  %x = urem i64 %rest, %width
  %sum = add i64 %y, %z
  %from = mul i64 %sum, 100
  %index = add i64 %from, %x
  %at = getelementptr float, ptr %data, i64 %index
  %value = load float, ptr %at
  %other.at = getelementptr float, ptr %data, i64 %x
  %other = load float, ptr %other.at
  %both = fadd float %value, %other
  %out = getelementptr float, ptr %data, i64 %id
  %out.at = getelementptr i8, ptr %out, i64 4096
  store float %both, ptr %out.at
  ret void
}
!0 = !{}

;--- quotient_divides.ll
declare i64 @__falx_global_id_x()

; A quotient by which others divide tells how wide their rows are, which has to be known before.
; CHECK-LABEL: define internal void @kernel.work_item.parted.lanes.parts(
; CHECK: call void @kernel.work_item.parted.lanes({{.*}}, i64 %quotient, i64 0, i64 0, i64 0, <4 x i1>
define void @kernel(ptr align 8 dereferenceable(16) %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="4" "falx-narrow" {
  %id = call range(i64 0, 2147483648) i64 @__falx_global_id_x()
  %width = load i64, ptr %f, !invariant.load !0
  %data.at = getelementptr i8, ptr %f, i64 8
  %data = load ptr, ptr %data.at, !invariant.load !0
  %row = udiv i64 %id, %width
  %size = or i64 %row, 64
  %block = udiv i64 %id, %size
  %place = add i64 %row, %block
  %at = getelementptr float, ptr %data, i64 %place
  %x = load float, ptr %at
  %column = urem i64 %id, %width
  %next = getelementptr float, ptr %data, i64 %column
  store float %x, ptr %next
  ret void
}
!0 = !{}

;--- whole.ll
declare i64 @__falx_global_id_x()

; Nothing is gained where no address depends on the quotient.
; CHECK-NOT: .parts(
define void @kernel(ptr align 8 dereferenceable(16) %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="4" "falx-narrow" {
entry:
  %id = call range(i64 0, 2147483648) i64 @__falx_global_id_x()
  %width = load i64, ptr %f, !invariant.load !0
  %data.at = getelementptr i8, ptr %f, i64 8
  %data = load ptr, ptr %data.at, !invariant.load !0
  %column = urem i64 %id, %width
  %start = uitofp i64 %column to float
  br label %loop
loop:
  %n = phi i64 [ 0, %entry ], [ %next, %loop ]
  %x = phi float [ %start, %entry ], [ %x.next, %loop ]
  %x.next = fmul float %x, %start
  %next = add i64 %n, 1
  %goes.on = icmp ult i64 %next, 100
  br i1 %goes.on, label %loop, label %end
end:
  %at = getelementptr float, ptr %data, i64 %id
  store float %x.next, ptr %at
  ret void
}
!0 = !{}
