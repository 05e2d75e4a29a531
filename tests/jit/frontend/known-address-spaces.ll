; Where the object of a test is known, the answer is, and the variable becomes a value. Else the CPU's runtime or an
; instruction of the GPU tells. Spaces: 0 global, 1 local, 3 private.
; RUN: falx-opt --passes=falx-simplify %s | FileCheck %s --check-prefixes=CHECK,KNOWN
; RUN: falx-opt --passes=falx-simplify,falx-lower-builtins %s | FileCheck %s --check-prefix=CPU
; RUN: falx-opt --passes=falx-simplify,falx-ptx-entry,falx-ptx-builtins %s | FileCheck %s --check-prefix=PTX
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare zeroext i1 @__falx_lies_in_address_space(ptr, i32) memory(none) nounwind
declare ptr @__falx_local_memory()

; CHECK-LABEL: define void @kernel(
; KNOWN-NOT: alloca
; KNOWN: %[[STORED:.*]] = load ptr, ptr %data
; KNOWN: %[[HERE:.*]] = call zeroext i1 @__falx_lies_in_address_space(ptr %[[STORED]], i32 1)
; KNOWN-NOT: call {{.*}}__falx_lies_in_address_space
; KNOWN: ret void
; CPU: %[[FIELD:.*]] = getelementptr inbounds i8, ptr %worker, i64 64
; CPU: %[[FUNCTION:.*]] = load ptr, ptr %[[FIELD]]
; CPU: %[[SPACE:.*]] = call i32 %[[FUNCTION]](ptr %worker, ptr %{{.*}}) #[[PURE:[0-9]+]]
; CPU: icmp eq i32 %[[SPACE]], 1
; CPU: attributes #[[PURE]] = { nounwind willreturn memory(none) }
; PTX: call i1 @llvm.nvvm.isspacep.shared(ptr %{{.*}})
define void @kernel(ptr dereferenceable(8) %f) "falx-kind"="2" "falx-dimensions"="1" {
  %variable = alloca i32
  store i32 7, ptr %variable
  %data = load ptr, ptr %f
  ; A variable is private.
  %is.private = call zeroext i1 @__falx_lies_in_address_space(ptr %variable, i32 3)
  %private = select i1 %is.private, ptr %variable, ptr null
  %value = load i32, ptr %private
  ; What the host passed is global.
  %is.global = call zeroext i1 @__falx_lies_in_address_space(ptr %data, i32 0)
  %is.local = call zeroext i1 @__falx_lies_in_address_space(ptr %data, i32 1)
  ; So are both of two such pointers, and null does not matter.
  %at.1 = getelementptr i32, ptr %data, i64 1
  %chosen = select i1 %is.local, ptr %at.1, ptr %data
  %are.global = call zeroext i1 @__falx_lies_in_address_space(ptr %chosen, i32 0)
  ; Local memory.
  %memory = call ptr @__falx_local_memory()
  %element = getelementptr i8, ptr %memory, i64 16
  %memory.is.local = call zeroext i1 @__falx_lies_in_address_space(ptr %element, i32 1)
  ; The kernel may have written this pointer.
  %stored = load ptr, ptr %data
  %stored.is.local = call zeroext i1 @__falx_lies_in_address_space(ptr %stored, i32 1)
  %a = and i1 %is.global, %are.global
  %b = and i1 %a, %memory.is.local
  %c = and i1 %b, %stored.is.local
  %d = zext i1 %c to i32
  %e = add i32 %value, %d
  store i32 %e, ptr %at.1
  ret void
}
