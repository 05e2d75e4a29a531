; Variables of integer types that PTX lacks become wider; others stay.
; RUN: falx-opt --passes=falx-ptx-variable-types %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: @odd = internal addrspace(3) global i64 undef, align 8
@odd = internal addrspace(3) global i48 undef, align 8
; CHECK: @constant = internal addrspace(4) constant i64 4328719365, align 8
@constant = internal addrspace(4) constant i40 4328719365
; CHECK: @flag = internal global i8 1, align 1
@flag = internal global i1 true
; CHECK: @plain = internal addrspace(3) global i32 undef, align 4
@plain = internal addrspace(3) global i32 undef, align 4

define i48 @read() {
; CHECK: load i48, ptr addrspace(3) @odd
  %value = load i48, ptr addrspace(3) @odd
  ret i48 %value
}
