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
; CHECK-DAG: [[LETTER:@[0-9]+]] = private {{.*}} c"%c %f %g\00"
; CHECK-DAG: [[MANY:@[0-9]+]] = private {{.*}} c"%llu of %d\00"
; CHECK-DAG: [[FEW:@[0-9]+]] = private {{.*}} c"few: %llu %d\00"
@letter = private constant [12 x i8] c"%lc %lf %lg\00"
@many = private constant [10 x i8] c"%zu of %d\00"
@few = private constant [12 x i8] c"few: %zu %d\00"
@short = private constant [8 x i8] c"%zu %hd\00"
@grouped = private constant [8 x i8] c"%'d %zu\00"
@numbered = private constant [10 x i8] c"%1$d %2$d\00"
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

; C ignores l of characters and of floating-point numbers.
; CHECK-LABEL: @ignores_lengths(
; CHECK: call i32 @vprintf(ptr [[LETTER]],
define void @ignores_lengths(i32 %a, double %b) {
  %n = call i32 (ptr, ...) @printf(ptr @letter, i32 %a, double %b, double %b)
  ret void
}

; CHECK-LABEL: @chooses(
; CHECK: [[FORMAT:%.*]] = select i1 %c, ptr [[MANY]], ptr [[FEW]]
; CHECK: call i32 @vprintf(ptr [[FORMAT]],
define void @chooses(i1 %c, i64 %a, i32 %b) {
  %format = select i1 %c, ptr @many, ptr @few
  %n = call i32 (ptr, ...) @printf(ptr %format, i64 %a, i32 %b)
  ret void
}

; Two formats that disagree on arguments, and what is POSIX's alone.
; CHECK-LABEL: @stays_too(
; CHECK: call i32 @vprintf(ptr %format,
; CHECK: call i32 @vprintf(ptr @grouped,
; CHECK: call i32 @vprintf(ptr @numbered,
define void @stays_too(i1 %c, i64 %a, i32 %b) {
  %format = select i1 %c, ptr @many, ptr @short
  %n = call i32 (ptr, ...) @printf(ptr %format, i64 %a, i32 %b)
  %m = call i32 (ptr, ...) @printf(ptr @grouped, i32 %b, i64 %a)
  %k = call i32 (ptr, ...) @printf(ptr @numbered, i32 %b, i32 %b)
  ret void
}
