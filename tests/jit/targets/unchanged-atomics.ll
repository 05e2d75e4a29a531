; Relaxed minima, maxima, or and and look whether they change anything before they write.
; RUN: falx-opt --passes=falx-unchanged-atomics -S %s | FileCheck %s
; Fences order by all operations.
; RUN: sed 's/^; only with fences: //' %s | falx-opt --passes=falx-unchanged-atomics -S \
; RUN:   | FileCheck %s --check-prefix=FENCES --implicit-check-not='load atomic'
; FENCES: atomicrmw max ptr %p, i32 %x syncscope("device") monotonic

; CHECK-LABEL: @signed_maximum(
; CHECK:         %[[SEEN:.*]] = load atomic i32, ptr %p syncscope("device") monotonic, align 4
; CHECK-NEXT:    %[[CHANGES:.*]] = icmp slt i32 %[[SEEN]], %x
; CHECK-NEXT:    br i1 %[[CHANGES]], label %[[CHANGE:.*]], label %[[DONE:.*]]
; CHECK:       [[CHANGE]]:
; CHECK-NEXT:    %old = atomicrmw max ptr %p, i32 %x syncscope("device") monotonic
; CHECK:       [[DONE]]:
; CHECK-NEXT:    %[[OLD:.*]] = phi i32 [ %[[SEEN]], %0 ], [ %old, %[[CHANGE]] ]
; CHECK-NEXT:    ret i32 %[[OLD]]
define i32 @signed_maximum(ptr %p, i32 %x) {
  %old = atomicrmw max ptr %p, i32 %x syncscope("device") monotonic
  ret i32 %old
}

; The result is not used.
; CHECK-LABEL: @minima(
; CHECK:         icmp sgt i64 %{{.*}}, %x
; CHECK-NOT:     phi
; CHECK:         icmp ugt i64 %{{.*}}, %x
; CHECK-NOT:     phi
; CHECK:         icmp ult i64 %{{.*}}, %x
; CHECK-NOT:     phi
define void @minima(ptr %p, i64 %x) {
  %1 = atomicrmw min ptr %p, i64 %x monotonic
  %2 = atomicrmw umin ptr %p, i64 %x monotonic
  %3 = atomicrmw umax ptr %p, i64 %x monotonic
  ret void
}

; CHECK-LABEL: @bits(
; CHECK:         %[[SEEN:.*]] = load atomic i32, ptr %p monotonic, align 4
; CHECK-NEXT:    %[[WITH:.*]] = or i32 %[[SEEN]], %x
; CHECK-NEXT:    icmp ne i32 %[[WITH]], %[[SEEN]]
; CHECK:         %[[OTHER:.*]] = load atomic i32, ptr %p monotonic, align 4
; CHECK-NEXT:    %[[LESS:.*]] = and i32 %[[OTHER]], %x
; CHECK-NEXT:    icmp ne i32 %[[LESS]], %[[OTHER]]
define void @bits(ptr %p, i32 %x) {
  %1 = atomicrmw or ptr %p, i32 %x monotonic
  %2 = atomicrmw and ptr %p, i32 %x monotonic
  ret void
}

; A number takes the place of NaN, and NaN of nothing.
; CHECK-LABEL: @floats(
; CHECK:         %[[SEEN:.*]] = load atomic float, ptr %p monotonic, align 4
; CHECK-NEXT:    %[[BEYOND:.*]] = fcmp ult float %[[SEEN]], %x
; CHECK-NEXT:    %[[NUMBER:.*]] = fcmp ord float %x, 0.000000e+00
; CHECK-NEXT:    %[[CHANGES:.*]] = and i1 %[[BEYOND]], %[[NUMBER]]
; CHECK-NEXT:    br i1 %[[CHANGES]]
; CHECK:         atomicrmw fmax ptr %p, float %x monotonic
; CHECK:         fcmp ugt double
; CHECK:         atomicrmw fmin ptr %p, double %y monotonic
define void @floats(ptr %p, float %x, double %y) {
  %1 = atomicrmw fmax ptr %p, float %x monotonic
  %2 = atomicrmw fmin ptr %p, double %y monotonic
  ret void
}

; What orders other accesses, is volatile, or is no extremum stays.
; CHECK-LABEL: @others(
; CHECK-NOT:     load
; CHECK-NOT:     br
; CHECK:         ret void
define void @others(ptr %p, i32 %x, <2 x half> %v) {
  %1 = atomicrmw max ptr %p, i32 %x acquire
  %2 = atomicrmw max ptr %p, i32 %x release
  %3 = atomicrmw max ptr %p, i32 %x seq_cst
  %4 = atomicrmw volatile max ptr %p, i32 %x monotonic
  %5 = atomicrmw add ptr %p, i32 %x monotonic
  %6 = atomicrmw xor ptr %p, i32 %x monotonic
  %7 = atomicrmw xchg ptr %p, i32 %x monotonic
  %8 = atomicrmw fmax ptr %p, <2 x half> %v monotonic
  ret void
}

; only with fences: define void @elsewhere() { fence acq_rel ret void }
