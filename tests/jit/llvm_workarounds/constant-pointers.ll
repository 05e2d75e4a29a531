; Addresses made of constants are frozen where phis and selects have them beside pointers that have an origin, and nowhere else.
; RUN: falx-opt --passes=falx-constant-pointers %s | FileCheck %s
; RUN: falx-opt --passes=falx-constant-pointers,falx-ptx-address-spaces %s | FileCheck %s --check-prefix=SPACES
; RUN: falx-opt --passes=falx-constant-pointers %s | llc -mtriple=nvptx64-nvidia-cuda -mcpu=sm_70 -filetype=null

target triple = "nvptx64-nvidia-cuda"
@table = internal constant [4 x i8] c"\01\02\03\04"

; CHECK-LABEL: @loop(
; CHECK: %[[TABLE:.*]] = freeze ptr @table
; CHECK: phi ptr [ %data, %entry ], [ %next, %loop ]
; CHECK: %next = getelementptr i8, ptr %[[TABLE]], i64 %index
; SPACES-LABEL: @loop(
; SPACES: phi ptr [ %data, %entry ], [ %next, %loop ]
define i8 @loop(ptr addrspace(1) %global, i8 %end) {
entry:
  %data = addrspacecast ptr addrspace(1) %global to ptr
  br label %loop
loop:
  %at = phi ptr [ %data, %entry ], [ %next, %loop ]
  %x = load i8, ptr %at
  %index = zext i8 %x to i64
  %next = getelementptr i8, ptr @table, i64 %index
  %ends = icmp eq i8 %x, %end
  br i1 %ends, label %out, label %loop
out:
  ret i8 %x
}

; A phi that goes around, of constants.
; CHECK-LABEL: @cycle(
; CHECK: %[[NULL:.*]] = freeze ptr null
; CHECK: %at = phi ptr [ %[[NULL]], %entry ], [ %next, %loop ]
; CHECK: %next = getelementptr i8, ptr %at, i64 8
define ptr @cycle(ptr addrspace(1) %global, i1 %ends, i1 %first) {
entry:
  %data = addrspacecast ptr addrspace(1) %global to ptr
  br label %loop
loop:
  %at = phi ptr [ null, %entry ], [ %next, %loop ]
  %next = getelementptr i8, ptr %at, i64 8
  br i1 %ends, label %out, label %loop
out:
  %either = select i1 %first, ptr %at, ptr %data
  ret ptr %either
}

; What only constants are beside, and a constant itself, stays.
; CHECK-LABEL: @constants(
; CHECK-NOT: freeze
; SPACES-LABEL: @constants(
; SPACES: phi ptr addrspace(1)
define i8 @constants(ptr addrspace(1) %global, i64 %index, i1 %which) {
entry:
  %data = addrspacecast ptr addrspace(1) %global to ptr
  %at = getelementptr i8, ptr @table, i64 %index
  %x = load i8, ptr %at
  br i1 %which, label %some, label %out
some:
  br label %out
out:
  %either = phi ptr [ %data, %entry ], [ null, %some ]
  %y = load i8, ptr %either
  %sum = add i8 %x, %y
  ret i8 %sum
}
