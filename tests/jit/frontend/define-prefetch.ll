; Levels and hints become localities of llvm.prefetch; the line is a constant.
; RUN: falx-opt --passes=falx-define-builtins-cpu,falx-simplify %s | FileCheck %s --check-prefixes=CHECK,CPU
; RUN: falx-opt --passes=falx-define-builtins-ptx,falx-simplify %s | FileCheck %s --check-prefixes=CHECK,PTX
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare void @__falx_prefetch(ptr, i32, i1 zeroext)
declare i64 @__falx_cache_line_bytes()

; CHECK-LABEL: define void @kernel(
; CPU: prefetch.p0(ptr readonly %p, i32 0, i32 3, i32 1)
; CPU: prefetch.p0(ptr readonly %p, i32 0, i32 2, i32 1)
; CPU: prefetch.p0(ptr readonly %p, i32 0, i32 1, i32 1)
; CPU: prefetch.p0(ptr readonly %p, i32 0, i32 1, i32 1)
; CPU: prefetch.p0(ptr readonly %p, i32 0, i32 0, i32 1)
; CPU: prefetch.p0(ptr readonly %p, i32 0, i32 0, i32 1)
; CPU: store i64 64, ptr %p
; PTX: prefetch.p0(ptr readonly %p, i32 0, i32 3, i32 1)
; PTX: prefetch.p0(ptr readonly %p, i32 0, i32 2, i32 1)
; PTX: prefetch.p0(ptr readonly %p, i32 0, i32 2, i32 1)
; PTX: prefetch.p0(ptr readonly %p, i32 0, i32 2, i32 1)
; PTX: prefetch.p0(ptr readonly %p, i32 0, i32 3, i32 1)
; PTX: prefetch.p0(ptr readonly %p, i32 0, i32 2, i32 1)
; PTX: store i64 128, ptr %p
; CHECK-NOT: __falx
define void @kernel(ptr dereferenceable(8) %f) "falx-kind"="0" "falx-dimensions"="1" {
  %p = load ptr, ptr %f
  call void @__falx_prefetch(ptr %p, i32 1, i1 false)
  call void @__falx_prefetch(ptr %p, i32 2, i1 false)
  call void @__falx_prefetch(ptr %p, i32 3, i1 false)
  call void @__falx_prefetch(ptr %p, i32 4, i1 false)
  call void @__falx_prefetch(ptr %p, i32 1, i1 true)
  call void @__falx_prefetch(ptr %p, i32 4, i1 true)
  %line = call i64 @__falx_cache_line_bytes()
  store i64 %line, ptr %p
  ret void
}
