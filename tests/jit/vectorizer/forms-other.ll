; The form of a kernel that is estimated to be slower can be had, too (falx-form-kernel<other-form>), and the properties of
; both say that it is there: the last number. Only if both give the same results and neither is much slower by the estimate.
; RUN: split-file %s %t
; RUN: falx-opt -mtriple=x86_64-linux-gnu -mcpu=haswell '--passes=falx-form-kernel<lanes=8;must-pay>' %t/rows.ll -S | FileCheck %s --check-prefixes=ALONE,BOTH
; RUN: falx-opt -mtriple=x86_64-linux-gnu -mcpu=haswell '--passes=falx-form-kernel<lanes=8;must-pay;other-form>' %t/rows.ll -S | FileCheck %s --check-prefixes=VECTORS,BOTH
; RUN: falx-opt -mtriple=x86_64-linux-gnu -mcpu=haswell '--passes=falx-form-kernel<lanes=8;must-pay>' %t/slots.ll -S | FileCheck %s --check-prefixes=BOTH
; RUN: falx-opt -mtriple=x86_64-linux-gnu -mcpu=haswell '--passes=falx-form-kernel<lanes=8;must-pay>' %t/contracts.ll -S | FileCheck %s --check-prefixes=ALONE,ONE
; RUN: falx-opt -mtriple=x86_64-linux-gnu -mcpu=haswell '--passes=falx-fuse-contracted,falx-form-kernel<lanes=8;must-pay>' %t/contracts.ll -S | FileCheck %s --check-prefixes=ALONE,BOTH
; RUN: falx-opt -mtriple=x86_64-linux-gnu -mcpu=haswell '--passes=falx-form-kernel<lanes=8;must-pay>' %t/calls.ll -S | FileCheck %s --check-prefixes=ONE
; RUN: falx-opt -mtriple=x86_64-linux-gnu -mcpu=haswell '--passes=falx-form-kernel<lanes=8;must-pay>' %t/waits.ll -S | FileCheck %s --check-prefixes=ONE
; RUN: falx-opt -mtriple=x86_64-linux-gnu -mcpu=haswell '--passes=falx-form-kernel<lanes=8;must-pay>' %t/squares.ll -S | FileCheck %s --check-prefixes=VECTORS,ONE
; RUN: falx-opt -mtriple=x86_64-linux-gnu -mcpu=haswell '--passes=falx-form-kernel<lanes=8>' %t/rows.ll -S | FileCheck %s --check-prefixes=VECTORS,ONE
; BOTH: @falx_kernel_properties = constant {{.*}}, i64 1 }
; ONE: @falx_kernel_properties = constant {{.*}}, i64 0 }
; ALONE: define internal void @kernel.work_item(
; VECTORS: define internal void @kernel.work_item.lanes(

; Each lane goes through a row of its own.
;--- rows.ll
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__falx_global_id_x()
define void @kernel(ptr %f) "falx-kind"="1" "falx-dimensions"="1" {
entry:
  %starts = load ptr, ptr %f
  %values.at = getelementptr i8, ptr %f, i64 8
  %values = load ptr, ptr %values.at
  %sums.at = getelementptr i8, ptr %f, i64 16
  %sums = load ptr, ptr %sums.at
  %id = call i64 @__falx_global_id_x()
  %first.at = getelementptr i64, ptr %starts, i64 %id
  %first = load i64, ptr %first.at
  %last.at = getelementptr i8, ptr %first.at, i64 8
  %last = load i64, ptr %last.at
  br label %loop
loop:
  %i = phi i64 [ %first, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %at = getelementptr float, ptr %values, i64 %i
  %x = load float, ptr %at
  %more = fadd float %sum, %x
  %next = add nuw nsw i64 %i, 1
  %goes.on = icmp ult i64 %next, %last
  br i1 %goes.on, label %loop, label %end
end:
  %to = getelementptr float, ptr %sums, i64 %id
  store float %more, ptr %to
  ret void
}

; A sum and a product that may be fused: whether they are may depend on what stands around them, unless that has been
; decided (targets/cpu/contraction.cpp).
;--- contracts.ll
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__falx_global_id_x()
define void @kernel(ptr %f) "falx-kind"="1" "falx-dimensions"="1" {
entry:
  %starts = load ptr, ptr %f
  %values.at = getelementptr i8, ptr %f, i64 8
  %values = load ptr, ptr %values.at
  %sums.at = getelementptr i8, ptr %f, i64 16
  %sums = load ptr, ptr %sums.at
  %id = call i64 @__falx_global_id_x()
  %first.at = getelementptr i64, ptr %starts, i64 %id
  %first = load i64, ptr %first.at
  %last.at = getelementptr i8, ptr %first.at, i64 8
  %last = load i64, ptr %last.at
  br label %loop
loop:
  %i = phi i64 [ %first, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %at = getelementptr float, ptr %values, i64 %i
  %x = load float, ptr %at
  %more = fadd contract float %sum, %x
  %next = add nuw nsw i64 %i, 1
  %goes.on = icmp ult i64 %next, %last
  br i1 %goes.on, label %loop, label %end
end:
  %to = getelementptr float, ptr %sums, i64 %id
  store float %more, ptr %to
  ret void
}

; Functions of libraries that differ for vectors.
;--- calls.ll
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__falx_global_id_x()
declare float @erff(float) memory(none)
define void @kernel(ptr %f) "falx-kind"="1" "falx-dimensions"="1" "falx-vector-math"="avx2" {
  %id = call i64 @__falx_global_id_x()
  %values = load ptr, ptr %f
  %at = getelementptr float, ptr %values, i64 %id
  %x = load float, ptr %at
  %y = call float @erff(float %x)
  store float %y, ptr %at
  ret void
}

; Results in places of their own, by a counter that all work-items share: nobody waits for it.
;--- slots.ll
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__falx_global_id_x()
define void @kernel(ptr %f) "falx-kind"="1" "falx-dimensions"="1" {
entry:
  %counter = load ptr, ptr %f
  %values.at = getelementptr i8, ptr %f, i64 8
  %values = load ptr, ptr %values.at
  %id = call i64 @__falx_global_id_x()
  %row = mul i64 %id, 1000
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %slot = atomicrmw add ptr %counter, i64 1 monotonic
  %to = getelementptr i64, ptr %values, i64 %slot
  %what = add i64 %row, %i
  store i64 %what, ptr %to
  %next = add nuw nsw i64 %i, 1
  %goes.on = icmp ult i64 %next, 100
  br i1 %goes.on, label %loop, label %end
end:
  ret void
}

; What the work-item before has written is waited for: it ends one after the other, but not as a vector.
;--- waits.ll
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__falx_global_id_x()
define void @kernel(ptr %f) "falx-kind"="1" "falx-dimensions"="1" {
entry:
  %turn = load ptr, ptr %f
  %id = call i64 @__falx_global_id_x()
  br label %loop
loop:
  %now = load atomic i64, ptr %turn acquire, align 8
  %rest = sub i64 %id, %now
  %waits = icmp ne i64 %rest, 0
  br i1 %waits, label %loop, label %end
end:
  %next = add i64 %id, 1
  store atomic i64 %next, ptr %turn release, align 8
  ret void
}

; Vectors are many times as fast.
;--- squares.ll
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__falx_global_id_x()
define void @kernel(ptr %f) "falx-kind"="1" "falx-dimensions"="1" {
entry:
  %values = load ptr, ptr %f
  %id = call i64 @__falx_global_id_x()
  %at = getelementptr float, ptr %values, i64 %id
  %x = load float, ptr %at
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %square = fmul float %sum, %sum
  %more = fadd float %square, %x
  %next = add nuw nsw i64 %i, 1
  %goes.on = icmp ult i64 %next, 1000
  br i1 %goes.on, label %loop, label %end
end:
  store float %more, ptr %at
  ret void
}
