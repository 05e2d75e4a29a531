; Nothing is known without the attribute, or where the function object is read in other ways too.
; RUN: sed s/RESTRICT// %s | falx-opt --passes=falx-restricted-pointers | FileCheck %s --check-prefixes=CHECK,WITHOUT
; RUN: sed 's/RESTRICT/"falx-restrict"/' %s | falx-opt --passes=falx-restricted-pointers | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define void @kernel(ptr dereferenceable(64) %f, i64 %i) "falx-kind"="2" RESTRICT {
; CHECK-LABEL: @kernel
  %in = load ptr, ptr %f
  %a8 = getelementptr i8, ptr %f, i64 8
  %out = load ptr, ptr %a8
  %any = getelementptr ptr, ptr %f, i64 %i
  %element = load ptr, ptr %any
; CHECK:         %v = load float, ptr %in, align 4{{$}}
  %v = load float, ptr %in
; CHECK:         store float %v, ptr %out, align 4{{$}}
  store float %v, ptr %out
  store float %v, ptr %element
  ret void
}
; WITHOUT-NOT: falx-restrict
