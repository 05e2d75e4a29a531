; CUDA's vprintf knows the lengths h, l and ll alone: other lengths are said with these, and what C narrows before it
; prints is narrowed here.
; RUN: falx-opt --passes=falx-ptx-library-calls %s | FileCheck %s
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-DAG: [[NARROW:@[0-9]+]] = private {{.*}} c"%d %5u %X|%%|%u\00"
; CHECK-DAG: [[SIZES:@[0-9]+]] = private {{.*}} c"%lld %*.*llu %llx %f %ld %lld\00"
@narrow = private constant [21 x i8] c"%hhd %5hu %hhX|%%|%u\00"
@sizes = private constant [27 x i8] c"%td %*.*zu %jx %F %ld %lld\00"
@known = private constant [11 x i8] c"%d %s %llu\00"
@wrong = private constant [6 x i8] c"%hhd%\00"

declare i32 @printf(ptr, ...)

; CHECK-LABEL: @narrows(
; CHECK: [[A8:%.*]] = trunc i32 %a to i8
; CHECK: [[A:%.*]] = sext i8 [[A8]] to i32
; CHECK: [[B16:%.*]] = trunc i32 %b to i16
; CHECK: [[B:%.*]] = zext i16 [[B16]] to i32
; CHECK: [[C8:%.*]] = trunc i32 %c to i8
; CHECK: [[C:%.*]] = zext i8 [[C8]] to i32
; CHECK: store i32 [[A]]
; CHECK: store i32 [[B]]
; CHECK: store i32 [[C]]
; CHECK: store i32 %d
; CHECK: call i32 @vprintf(ptr [[NARROW]],
define void @narrows(i32 %a, i32 %b, i32 %c, i32 %d) {
  %n = call i32 (ptr, ...) @printf(ptr @narrow, i32 %a, i32 %b, i32 %c, i32 %d)
  ret void
}

; CHECK-LABEL: @says_sizes(
; CHECK-NOT: trunc
; CHECK: call i32 @vprintf(ptr [[SIZES]],
define void @says_sizes(i64 %a, i32 %width, i32 %digits, double %d) {
  %n = call i32 (ptr, ...) @printf(ptr @sizes, i64 %a, i32 %width, i32 %digits, i64 %a, i64 %a, double %d, i64 %a, i64 %a)
  ret void
}

; CHECK-LABEL: @stays(
; CHECK: call i32 @vprintf(ptr @known,
; CHECK: call i32 @vprintf(ptr %format,
; CHECK: call i32 @vprintf(ptr @wrong,
define void @stays(ptr %format, i32 %a, i64 %c) {
  %n = call i32 (ptr, ...) @printf(ptr @known, i32 %a, ptr %format, i64 %c)
  %m = call i32 (ptr, ...) @printf(ptr %format, i32 %a)
  %k = call i32 (ptr, ...) @printf(ptr @wrong, double 1.0)
  ret void
}
