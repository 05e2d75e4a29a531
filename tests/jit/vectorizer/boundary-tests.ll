; Code that tests whether lanes are at a boundary has a copy without tests, for vectors that are not in any iteration.
; RUN: split-file %s %t
; RUN: falx-opt -mtriple=x86_64-linux-gnu -mcpu=haswell --passes=falx-lower-builtins,falx-vectorize-range -S %t/clamped.ll | FileCheck %s --check-prefix=CLAMPED
; RUN: falx-opt -mtriple=x86_64-linux-gnu -mcpu=haswell --passes=falx-lower-builtins,falx-vectorize-range -S %t/guarded.ll | FileCheck %s --check-prefix=GUARDED
; RUN: falx-opt -mtriple=x86_64-linux-gnu -mcpu=haswell --passes=falx-lower-builtins,falx-vectorize-range -S %t/periodic.ll | FileCheck %s --check-prefix=PERIODIC
; RUN: falx-opt -mtriple=x86_64-linux-gnu -mcpu=haswell --passes=falx-lower-builtins,falx-vectorize-range -S %t/chosen.ll | FileCheck %s --check-prefix=CHOSEN
; RUN: falx-opt -mtriple=x86_64-linux-gnu -mcpu=haswell --passes=falx-lower-builtins,falx-vectorize-range -S %t/window.ll | FileCheck %s --check-prefix=WINDOW
; RUN: falx-opt -mtriple=x86_64-linux-gnu -mcpu=haswell --passes=falx-lower-builtins,falx-vectorize-range -S %t/wide.ll | FileCheck %s --check-prefix=FAR
; RUN: falx-opt -mtriple=x86_64-linux-gnu -mcpu=haswell --passes=falx-lower-builtins,falx-vectorize-range -S %t/parting.ll | FileCheck %s --check-prefix=PARTING
; RUN: falx-opt -mtriple=x86_64-linux-gnu -mcpu=haswell --passes=falx-lower-builtins,falx-vectorize-range -S %t/wraps.ll | FileCheck %s --check-prefix=WRAPS
; RUN: falx-opt -mtriple=x86_64-linux-gnu -mcpu=haswell --passes=falx-lower-builtins,falx-vectorize-range -S %t/rows.ll | FileCheck %s --check-prefix=NONE
; RUN: falx-opt -mtriple=x86_64-linux-gnu -mcpu=haswell --passes=falx-lower-builtins,falx-vectorize-range -S %t/data.ll | FileCheck %s --check-prefix=NONE
; NONE-NOT: inside

; Both bounds of the whole loop, in numbers as wide as the lanes'; a limit that does not fit is none.
; CLAMPED-LABEL: @kernel.work_item.lanes(
; CLAMPED: icmp sge <8 x i32> %{{.*}}, splat (i32 2)
; CLAMPED: %[[LIMIT:.*]] = add {{.*}}i64 %{{.*}}, -3
; CLAMPED: %[[NARROW:.*]] = trunc i64 %[[LIMIT]] to i32
; CLAMPED: %[[WIDE:.*]] = sext i32 %[[NARROW]] to i64
; CLAMPED: icmp eq i64 %[[WIDE]], %[[LIMIT]]
; CLAMPED: icmp sle <8 x i32>
; CLAMPED: freeze <8 x i1>
; CLAMPED: {{^}}loop.inside:
; CLAMPED-NOT: smax
; CLAMPED: call <8 x float> @llvm.masked.load
; CLAMPED: {{^}}loop:
; CLAMPED: call <8 x i32> @llvm.smax
; CLAMPED: call <8 x float> @llvm.masked.gather
;--- clamped.ll
declare range(i64 0, 2147483648) i64 @__falx_global_id_x()
declare i32 @llvm.smax.i32(i32, i32)
declare i32 @llvm.smin.i32(i32, i32)
define void @kernel(ptr dereferenceable(24) %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="8" "falx-narrow" {
entry:
  %data = load ptr, ptr %f
  %n.at = getelementptr i8, ptr %f, i64 8
  %n = load i32, ptr %n.at
  %last = add nsw i32 %n, -1
  %out.at = getelementptr i8, ptr %f, i64 16
  %out = load ptr, ptr %out.at
  %id = call i64 @__falx_global_id_x()
  %i = trunc nuw nsw i64 %id to i32
  br label %loop
loop:
  %k = phi i32 [ -2, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %to = add nsw i32 %i, %k
  %least = call i32 @llvm.smax.i32(i32 %to, i32 0)
  %inner = call i32 @llvm.smin.i32(i32 %least, i32 %last)
  %wide = sext i32 %inner to i64
  %at = getelementptr float, ptr %data, i64 %wide
  %x = load float, ptr %at
  %more = fadd float %sum, %x
  %next = add nsw i32 %k, 1
  %goes.on = icmp slt i32 %next, 3
  br i1 %goes.on, label %loop, label %end
end:
  %out.here = getelementptr float, ptr %out, i64 %id
  store float %more, ptr %out.here
  ret void
}

; The number of iterations is known when the kernel runs.
; GUARDED-LABEL: @kernel.work_item.lanes(
; GUARDED: icmp sge <8 x i32>
; GUARDED: icmp sle <8 x i32>
; GUARDED: {{^}}code.inside:
; GUARDED-NOT: br i1
; GUARDED: call <8 x float> @llvm.masked.load.v8f32.p0(ptr {{.*}}, <8 x i1> %active
; GUARDED: {{^}}code:
;--- guarded.ll
declare range(i64 0, 2147483648) i64 @__falx_global_id_x()
define void @kernel(ptr dereferenceable(32) %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="8" "falx-narrow" {
entry:
  %data = load ptr, ptr %f
  %n.at = getelementptr i8, ptr %f, i64 8
  %n = load i32, ptr %n.at
  %r.at = getelementptr i8, ptr %f, i64 12
  %r = load i32, ptr %r.at
  %out.at = getelementptr i8, ptr %f, i64 16
  %out = load ptr, ptr %out.at
  %id = call i64 @__falx_global_id_x()
  %i = trunc nuw nsw i64 %id to i32
  %first = sub nsw i32 0, %r
  br label %loop
loop:
  %k = phi i32 [ %first, %entry ], [ %next, %latch ]
  %sum = phi float [ 0.0, %entry ], [ %more, %latch ]
  %ends = icmp sgt i32 %k, %r
  br i1 %ends, label %end, label %body
body:
  %to = add nsw i32 %i, %k
  %above = icmp sgt i32 %to, -1
  %below = icmp slt i32 %to, %n
  %both = select i1 %above, i1 %below, i1 false
  br i1 %both, label %code, label %latch
code:
  %wide = sext i32 %k to i64
  %own = getelementptr float, ptr %data, i64 %id
  %at = getelementptr float, ptr %own, i64 %wide
  %x = load float, ptr %at
  %plus = fadd float %sum, %x
  br label %latch
latch:
  %more = phi float [ %plus, %code ], [ %sum, %body ]
  %next = add nsw i32 %k, 1
  br label %loop
end:
  %out.here = getelementptr float, ptr %out, i64 %id
  store float %sum, ptr %out.here
  ret void
}

; One neighbour is on the other side, or both.
; PERIODIC-LABEL: @kernel.work_item.lanes(
; PERIODIC: .inside:
; PERIODIC-NOT: srem
; PERIODIC-NOT: gather
; PERIODIC: call <8 x float> @llvm.masked.load
; PERIODIC-NOT: gather
; PERIODIC: call <8 x float> @llvm.masked.load
;--- periodic.ll
declare range(i64 0, 2147483648) i64 @__falx_global_id_x()
define void @kernel(ptr dereferenceable(24) %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="8" "falx-narrow" {
  %data = load ptr, ptr %f
  %n.at = getelementptr i8, ptr %f, i64 8
  %n = load i32, ptr %n.at
  %out.at = getelementptr i8, ptr %f, i64 16
  %out = load ptr, ptr %out.at
  %id = call i64 @__falx_global_id_x()
  %i = trunc nuw nsw i64 %id to i32
  %up = add nuw nsw i32 %i, 1
  %right = srem i32 %up, %n
  %right.wide = sext i32 %right to i64
  %right.at = getelementptr float, ptr %data, i64 %right.wide
  %x = load float, ptr %right.at
  %down = add nsw i32 %i, -1
  %around = add nsw i32 %down, %n
  %left = srem i32 %around, %n
  %left.wide = sext i32 %left to i64
  %left.at = getelementptr float, ptr %data, i64 %left.wide
  %y = load float, ptr %left.at
  %sum = fadd float %x, %y
  %out.here = getelementptr float, ptr %out, i64 %id
  store float %sum, ptr %out.here
  ret void
}

; A selection of indices, and a value that there is otherwise.
; CHOSEN-LABEL: @kernel.work_item.lanes(
; CHOSEN: icmp ne <8 x i32>
; CHOSEN: inside:
; CHOSEN-NOT: gather
; CHOSEN: call <8 x float> @llvm.masked.load.v8f32.p0(ptr {{.*}}, <8 x i1> %active
; CHOSEN: call <8 x float> @llvm.masked.load.v8f32.p0(ptr {{.*}}, <8 x i1> %active
;--- chosen.ll
declare range(i64 0, 2147483648) i64 @__falx_global_id_x()
define void @kernel(ptr dereferenceable(24) %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="8" "falx-narrow" {
entry:
  %data = load ptr, ptr %f
  %n.at = getelementptr i8, ptr %f, i64 8
  %n = load i32, ptr %n.at
  %out.at = getelementptr i8, ptr %f, i64 16
  %out = load ptr, ptr %out.at
  %id = call i64 @__falx_global_id_x()
  %i = trunc nuw nsw i64 %id to i32
  %last = add nsw i32 %n, -1
  %is.last = icmp eq i32 %i, %last
  %up = add nuw nsw i32 %i, 1
  %right = select i1 %is.last, i32 0, i32 %up
  %right.wide = sext i32 %right to i64
  %right.at = getelementptr float, ptr %data, i64 %right.wide
  %x = load float, ptr %right.at
  %has.left = icmp sgt i32 %i, 0
  br i1 %has.left, label %left, label %end
left:
  %own.at = getelementptr float, ptr %data, i64 %id
  %left.at = getelementptr i8, ptr %own.at, i64 -4
  %y = load float, ptr %left.at
  br label %end
end:
  %z = phi float [ %y, %left ], [ %x, %entry ]
  %sum = fadd float %x, %z
  %out.here = getelementptr float, ptr %out, i64 %id
  store float %sum, ptr %out.here
  ret void
}

; A loop whose first and last numbers are clamped: of both, as far from lane to lane, all lanes have as many iterations.
; WINDOW-LABEL: @kernel.work_item.lanes(
; WINDOW: loop.inside:
; WINDOW-NOT: live
; WINDOW: call <8 x float> @llvm.masked.load.v8f32.p0(ptr {{.*}}, <8 x i1> %active
; WINDOW: icmp sle i32
; WINDOW: {{^}}loop:
; WINDOW: live
;--- window.ll
declare range(i64 0, 2147483648) i64 @__falx_global_id_x()
declare i32 @llvm.smax.i32(i32, i32)
declare i32 @llvm.smin.i32(i32, i32)
define void @kernel(ptr dereferenceable(24) %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="8" "falx-narrow" {
entry:
  %data = load ptr, ptr %f
  %n.at = getelementptr i8, ptr %f, i64 8
  %n = load i32, ptr %n.at
  %out.at = getelementptr i8, ptr %f, i64 16
  %out = load ptr, ptr %out.at
  %id = call i64 @__falx_global_id_x()
  %i = trunc nuw nsw i64 %id to i32
  %from = add nsw i32 %i, -5
  %first = call i32 @llvm.smax.i32(i32 %from, i32 0)
  %to = add nsw i32 %i, 5
  %last = call i32 @llvm.smin.i32(i32 %to, i32 %n)
  br label %loop
loop:
  %k = phi i32 [ %first, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %wide = zext nneg i32 %k to i64
  %at = getelementptr float, ptr %data, i64 %wide
  %x = load float, ptr %at
  %more = fadd float %sum, %x
  %next = add nuw nsw i32 %k, 1
  %goes.on = icmp sle i32 %next, %last
  br i1 %goes.on, label %loop, label %end
end:
  %out.here = getelementptr float, ptr %out, i64 %id
  store float %more, ptr %out.here
  ret void
}

; A number of 64 bits may be any: it has to be far from the ends of these.
; FAR-LABEL: @kernel.work_item.lanes(
; FAR: 1152921504606846976
; FAR: inside:
;--- wide.ll
declare range(i64 0, 2147483648) i64 @__falx_global_id_x()
declare i64 @llvm.smin.i64(i64, i64)
define void @kernel(ptr dereferenceable(24) %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="8" "falx-narrow" {
  %data = load ptr, ptr %f
  %n.at = getelementptr i8, ptr %f, i64 8
  %n = load i64, ptr %n.at
  %out.at = getelementptr i8, ptr %f, i64 16
  %out = load ptr, ptr %out.at
  %id = call i64 @__falx_global_id_x()
  %up = add nuw nsw i64 %id, 1
  %right = call i64 @llvm.smin.i64(i64 %up, i64 %n)
  %right.at = getelementptr float, ptr %data, i64 %right
  %x = load float, ptr %right.at
  %out.here = getelementptr float, ptr %out, i64 %id
  store float %x, ptr %out.here
  ret void
}

; Lanes go through the loop in strides, to the end of an array, where the last iteration is: it is looked at in each.
; PARTING-LABEL: @kernel.work_item.lanes(
; PARTING: {{^}}loop:
; PARTING: freeze <8 x i1>
; PARTING: inside:
;--- parting.ll
declare range(i64 0, 2147483648) i64 @__falx_global_id_x()
declare i32 @llvm.smin.i32(i32, i32)
define void @kernel(ptr dereferenceable(24) %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="8" "falx-narrow" {
entry:
  %data = load ptr, ptr %f
  %n.at = getelementptr i8, ptr %f, i64 8
  %n = load i32, ptr %n.at
  %last = add nsw i32 %n, -1
  %out.at = getelementptr i8, ptr %f, i64 16
  %out = load ptr, ptr %out.at
  %id = call i64 @__falx_global_id_x()
  %i = trunc nuw nsw i64 %id to i32
  br label %loop
loop:
  %k = phi i32 [ %i, %entry ], [ %next, %loop ]
  %up = add nsw i32 %k, 1
  %right = call i32 @llvm.smin.i32(i32 %up, i32 %last)
  %right.wide = sext i32 %right to i64
  %right.at = getelementptr float, ptr %data, i64 %right.wide
  %x = load float, ptr %right.at
  %wide = sext i32 %k to i64
  %out.here = getelementptr float, ptr %out, i64 %wide
  store float %x, ptr %out.here
  %next = add nsw i32 %k, 1024
  %goes.on = icmp slt i32 %next, %n
  br i1 %goes.on, label %loop, label %end
end:
  ret void
}

; A sum that may wrap has no extremes: it is looked at in each iteration.
; WRAPS-LABEL: @kernel.work_item.lanes(
; WRAPS: {{^}}loop:
; WRAPS: freeze <8 x i1>
; WRAPS: inside:
;--- wraps.ll
declare range(i64 0, 2147483648) i64 @__falx_global_id_x()
declare i32 @llvm.smin.i32(i32, i32)
define void @kernel(ptr dereferenceable(24) %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="8" "falx-narrow" {
entry:
  %data = load ptr, ptr %f
  %n.at = getelementptr i8, ptr %f, i64 8
  %n = load i32, ptr %n.at
  %out.at = getelementptr i8, ptr %f, i64 16
  %out = load ptr, ptr %out.at
  %id = call i64 @__falx_global_id_x()
  %i = trunc nuw nsw i64 %id to i32
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %square = mul i32 %k, %k
  %to = add i32 %i, %square
  %inner = call i32 @llvm.smin.i32(i32 %to, i32 %n)
  %wide = sext i32 %inner to i64
  %at = getelementptr float, ptr %data, i64 %wide
  %x = load float, ptr %at
  %more = fadd float %sum, %x
  %next = add nsw i32 %k, 1
  %goes.on = icmp slt i32 %next, 3
  br i1 %goes.on, label %loop, label %end
end:
  %out.here = getelementptr float, ptr %out, i64 %id
  store float %more, ptr %out.here
  ret void
}

; A number in rows is not a neighbour's.
;--- rows.ll
declare range(i64 0, 2147483648) i64 @__falx_global_id_x()
define void @kernel(ptr dereferenceable(24) %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="8" "falx-narrow" {
  %data = load ptr, ptr %f
  %n.at = getelementptr i8, ptr %f, i64 8
  %n = load i32, ptr %n.at
  %id = call i64 @__falx_global_id_x()
  %i = trunc nuw nsw i64 %id to i32
  %column = urem i32 %i, %n
  %wide = zext i32 %column to i64
  %at = getelementptr float, ptr %data, i64 %wide
  %x = load float, ptr %at
  %own = getelementptr float, ptr %data, i64 %id
  store float %x, ptr %own
  ret void
}

; An index that data says is gathered with tests and without.
;--- data.ll
declare range(i64 0, 2147483648) i64 @__falx_global_id_x()
declare i32 @llvm.smin.i32(i32, i32)
define void @kernel(ptr dereferenceable(24) %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="8" "falx-narrow" {
  %data = load ptr, ptr %f
  %n.at = getelementptr i8, ptr %f, i64 8
  %n = load i32, ptr %n.at
  %indices.at = getelementptr i8, ptr %f, i64 16
  %indices = load ptr, ptr %indices.at
  %id = call i64 @__falx_global_id_x()
  %index.at = getelementptr i32, ptr %indices, i64 %id
  %index = load i32, ptr %index.at
  %inner = call i32 @llvm.smin.i32(i32 %index, i32 %n)
  %wide = sext i32 %inner to i64
  %at = getelementptr float, ptr %data, i64 %wide
  %x = load float, ptr %at
  %own = getelementptr float, ptr %data, i64 %id
  store float %x, ptr %own
  ret void
}
