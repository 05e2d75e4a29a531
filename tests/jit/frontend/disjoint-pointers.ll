; Captured pointers of which the launch knows that they lead to different memory: accesses through one do not alias those
; through others. Nothing is said of accesses by pointers from elsewhere, nor of pointers that are not named.
; RUN: falx-opt '--passes=falx-restricted-pointers<disjoint=0;disjoint=8;disjoint=16>' %s | FileCheck %s
; RUN: falx-opt '--passes=falx-restricted-pointers<disjoint=8>' %s | FileCheck %s --check-prefix=ALONE
; RUN: not falx-opt '--passes=falx-restricted-pointers<aligned=8>' %s 2>&1 | FileCheck %s --check-prefix=OPTION

; OPTION: 'aligned=8' is no option of falx-restricted-pointers
; ALONE-NOT: !noalias

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define void @kernel(ptr dereferenceable(64) %f, i64 %i, i1 %c) "falx-kind"="2" {
; CHECK-LABEL: @kernel
; CHECK:         %in = load ptr, ptr %f{{[^,]*}}
  %in = load ptr, ptr %f
  %a8 = getelementptr i8, ptr %f, i64 8
  %out = load ptr, ptr %a8
  %a16 = getelementptr i8, ptr %f, i64 16
  %held = load ptr, ptr %a16
  %a24 = getelementptr i8, ptr %f, i64 24
  %any = load ptr, ptr %a24
; The function object is read in other ways as well.
  %word.at = getelementptr i64, ptr %f, i64 %i
  %word = load i64, ptr %word.at
; Only read, but not known to stay as it is: others may write it.
; CHECK:         %v = load float, ptr %p, align 4, !alias.scope ![[IN:[0-9]+]], !noalias ![[NOT_IN:[0-9]+]]{{$}}
  %p = getelementptr float, ptr %in, i64 %i
  %v = load float, ptr %p
; CHECK:         store float %v, ptr %out, align 4, !alias.scope ![[OUT:[0-9]+]], !noalias ![[NOT_OUT:[0-9]+]]{{$}}
  store float %v, ptr %out
; One of two.
; CHECK:         %y = load float, ptr %one, align 4, !alias.scope ![[IN_OR_OUT:[0-9]+]], !noalias ![[HELD:[0-9]+]]{{$}}
  %one = select i1 %c, ptr %in, ptr %out
  %y = load float, ptr %one
; A pointer that is stored may come back from memory, where it is any pointer.
; CHECK:         store ptr %held, ptr %out, align 8, !alias.scope ![[OUT]], !noalias ![[NOT_OUT]]{{$}}
  store ptr %held, ptr %out
; CHECK:         %back = load ptr, ptr %out, align 8, !alias.scope ![[OUT]], !noalias ![[NOT_OUT]]{{$}}
  %back = load ptr, ptr %out
; CHECK:         store float %y, ptr %back, align 4{{$}}
  store float %y, ptr %back
; CHECK:         %z = load float, ptr %held, align 4, !alias.scope ![[HELD]], !noalias ![[IN_OR_OUT]]{{$}}
  %z = load float, ptr %held
; CHECK:         store float %z, ptr %any, align 4{{$}}
  store float %z, ptr %any
; CHECK:         store float %z, ptr %in.or.any, align 4{{$}}
  %in.or.any = select i1 %c, ptr %in, ptr %any
  store float %z, ptr %in.or.any
; CHECK:         %old = atomicrmw add ptr %out, i32 1 monotonic, align 4{{$}}
  %old = atomicrmw add ptr %out, i32 1 monotonic
  ret void
}
; CHECK-DAG: ![[NOT_IN]] = !{![[O:[0-9]+]], ![[H:[0-9]+]]}
; CHECK-DAG: ![[IN]] = !{![[I:[0-9]+]]}
; CHECK-DAG: ![[OUT]] = !{![[O]]}
; CHECK-DAG: ![[NOT_OUT]] = !{![[I]], ![[H]]}
; CHECK-DAG: ![[IN_OR_OUT]] = !{![[I]], ![[O]]}
; CHECK-DAG: ![[HELD]] = !{![[H]]}
