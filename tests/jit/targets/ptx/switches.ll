; Switches are comparisons in PTX, of the program's own values.
;
; RUN: falx-opt -passes=falx-ptx-switches %s | FileCheck %s
; RUN: falx-opt -passes=falx-ptx-switches %s | llc -mtriple=nvptx64-nvidia-cuda -mcpu=sm_90 \
; RUN:   | FileCheck %s --check-prefix=PTX

; PTX-NOT: brx.idx

declare i32 @llvm.ctpop.i32(i32)
declare i32 @llvm.cttz.i32(i32, i1)
declare i64 @llvm.ctpop.i64(i64)
declare i64 @llvm.cttz.i64(i64, i1)

; What LLVM makes of a switch over 1, 2, 4, ..., 0x80000000, which may have any other value.
; CHECK-LABEL: define i32 @bits(
; CHECK-NOT: llvm.ct
; CHECK: switch i32 %bit, label %other [
; CHECK-NEXT: i32 1, label %first
; CHECK-NEXT: i32 2, label %second
; CHECK-NEXT: i32 4, label %third
; CHECK-NEXT: i32 -2147483648, label %last
; CHECK: phi i32 [ 13, %last ], [ 5, %choice ], [ 10, %first ]
; PTX-LABEL: .func (.param .b32 func_retval0) bits(
; PTX-NOT: popc
; PTX: setp.eq.b32 %p{{[0-9]+}}, %r{{[0-9]+}}, 4;
; PTX-LABEL: other_way(
define i32 @bits(i32 %bit, ptr %p) {
  %count = call i32 @llvm.ctpop.i32(i32 %bit)
  %is_one = icmp eq i32 %count, 1
  br i1 %is_one, label %choice, label %other
choice:
  %number = call i32 @llvm.cttz.i32(i32 %bit, i1 true)
  switch i32 %number, label %other [ i32 0, label %first
                                     i32 1, label %second
                                     i32 2, label %third
                                     i32 31, label %last ]
first:
  store volatile i32 1, ptr %p
  br label %other
second:
  store volatile i32 2, ptr %p
  br label %other
third:
  store volatile i32 3, ptr %p
  br label %other
last:
  store volatile i32 4, ptr %p
  br label %other
other:
  %result = phi i32 [ 5, %0 ], [ 5, %choice ], [ 10, %first ], [ 11, %second ], [ 12, %third ], [ 13, %last ]
  ret i32 %result
}

; Values that are no power of two arrive with another result, so they are still told apart. The test may be
; the other way round, and of 64 bits.
; CHECK-LABEL: define i32 @other_way(
; CHECK: call i64 @llvm.ctpop.i64
; CHECK: br i1 %has_more, label %end, label %choice
; CHECK: switch i64 %bit, label %end [
; CHECK-NEXT: i64 1, label %first
; CHECK-NEXT: i64 1099511627776, label %second
; CHECK: phi i32 [ 4, %0 ], [ 5, %choice ]
define i32 @other_way(i64 %bit, ptr %p) {
  %count = call i64 @llvm.ctpop.i64(i64 %bit)
  %has_more = icmp ne i64 %count, 1
  br i1 %has_more, label %end, label %choice
choice:
  %number = call i64 @llvm.cttz.i64(i64 %bit, i1 true)
  switch i64 %number, label %end [ i64 0, label %first
                                   i64 40, label %second ]
first:
  store volatile i32 1, ptr %p
  br label %end
second:
  store volatile i32 2, ptr %p
  br label %end
end:
  %result = phi i32 [ 4, %0 ], [ 5, %choice ], [ 10, %first ], [ 11, %second ]
  ret i32 %result
}

; The program asks for the lowest bit of many, or the test is of another value, or leads elsewhere.
; CHECK-LABEL: define void @lowest(
; CHECK: switch i32 %number, label %end [
; CHECK-NEXT: i32 0, label %first
define void @lowest(i32 %bits, ptr %p) {
  %number = call i32 @llvm.cttz.i32(i32 %bits, i1 false)
  switch i32 %number, label %end [ i32 0, label %first
                                   i32 32, label %none ]
first:
  store volatile i32 1, ptr %p
  br label %end
none:
  store volatile i32 2, ptr %p
  br label %end
end:
  ret void
}

; CHECK-LABEL: define void @another_value(
; CHECK: switch i32 %number, label %end [
; CHECK-NEXT: i32 0, label %first
define void @another_value(i32 %bits, i32 %others, ptr %p) {
  %count = call i32 @llvm.ctpop.i32(i32 %others)
  %is_one = icmp eq i32 %count, 1
  br i1 %is_one, label %choice, label %end
choice:
  %number = call i32 @llvm.cttz.i32(i32 %bits, i1 false)
  switch i32 %number, label %end [ i32 0, label %first
                                   i32 1, label %second ]
first:
  store volatile i32 1, ptr %p
  br label %end
second:
  store volatile i32 2, ptr %p
  br label %end
end:
  ret void
}

; CHECK-LABEL: define void @elsewhere(
; CHECK: switch i32 %number, label %end [
; CHECK-NEXT: i32 0, label %first
define void @elsewhere(i32 %bits, ptr %p) {
  %count = call i32 @llvm.ctpop.i32(i32 %bits)
  %is_one = icmp eq i32 %count, 1
  br i1 %is_one, label %end, label %choice
choice:
  %number = call i32 @llvm.cttz.i32(i32 %bits, i1 false)
  switch i32 %number, label %end [ i32 0, label %first
                                   i32 32, label %second ]
first:
  store volatile i32 1, ptr %p
  br label %end
second:
  store volatile i32 2, ptr %p
  br label %end
end:
  ret void
}
