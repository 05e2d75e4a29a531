; Kernels with [[intel::kernel_args_restrict]]: accesses through one captured pointer do not alias those through others,
; and what nothing is written through is invariant.
; RUN: falx-opt --passes=falx-restricted-pointers %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define void @kernel(ptr dereferenceable(64) %f, i64 %i, i1 %c) "falx-kind"="2" "falx-restrict" {
; CHECK-LABEL: @kernel
; CHECK:         %in = load ptr, ptr %f{{[^,]*}}
  %in = load ptr, ptr %f
  %a8 = getelementptr i8, ptr %f, i64 8
  %out = load ptr, ptr %a8
  %a16 = getelementptr i8, ptr %f, i64 16
  %both = load ptr, ptr %a16
  %a24 = getelementptr i8, ptr %f, i64 24
  %kept = load ptr, ptr %a24
; Only read, through two loads of the same pointer.
  %p = getelementptr float, ptr %in, i64 %i
; CHECK:         %v = load float, ptr %p, {{.*}}!invariant.load {{.*}}, !alias.scope ![[IN:[0-9]+]], !noalias ![[NOT_IN:[0-9]+]]
  %v = load float, ptr %p
  %again = load ptr, ptr %f
; CHECK:         %w = load float, ptr %again, {{.*}}!invariant.load {{.*}}, !alias.scope ![[IN]], !noalias ![[NOT_IN]]
  %w = load float, ptr %again
; CHECK:         store float %v, ptr %out, {{.*}}!alias.scope ![[OUT:[0-9]+]], !noalias ![[NOT_OUT:[0-9]+]]
  store float %v, ptr %out
; Read and written.
; CHECK:         %x = load float, ptr %both, align 4, !alias.scope ![[BOTH:[0-9]+]], !noalias ![[NOT_BOTH:[0-9]+]]{{$}}
  %x = load float, ptr %both
; CHECK:         store float %w, ptr %both, {{.*}}!alias.scope ![[BOTH]], !noalias ![[NOT_BOTH]]
  store float %w, ptr %both
; One of two.
; CHECK:         %y = load float, ptr %one, align 4, !alias.scope ![[IN_OR_OUT:[0-9]+]], !noalias ![[BOTH]]{{$}}
  %one = select i1 %c, ptr %in, ptr %out
  %y = load float, ptr %one
; A pointer that is stored may come back from memory: it is not told apart.
; CHECK:         store ptr %kept, ptr %out
  store ptr %kept, ptr %out
; CHECK:         %z = load float, ptr %kept, align 4, !noalias ![[ALL:[0-9]+]]{{$}}
  %z = load float, ptr %kept
; Atomic accesses stay as they are, and write.
; CHECK:         %old = atomicrmw add ptr %both, i32 1 monotonic, align 4{{$}}
  %old = atomicrmw add ptr %both, i32 1 monotonic
  ret void
}
; CHECK-DAG: ![[NOT_IN]] = !{![[O:[0-9]+]], ![[B:[0-9]+]]}
; CHECK-DAG: ![[IN]] = !{![[I:[0-9]+]]}
; CHECK-DAG: ![[OUT]] = !{![[O]]}
; CHECK-DAG: ![[NOT_OUT]] = !{![[I]], ![[B]]}
; CHECK-DAG: ![[IN_OR_OUT]] = !{![[I]], ![[O]]}
; CHECK-DAG: ![[ALL]] = !{![[I]], ![[O]], ![[B]]}
