; Atomic minima and maxima of floats are those of integers, signed or not as the operand has no sign or one; what meets
; a NaN is done again, unless the function knows none.
; RUN: falx-opt -mtriple=nvptx64-nvidia-cuda --passes=falx-ptx-float-extrema -S %s | FileCheck %s

; CHECK-LABEL: @maximum(
; CHECK:         %[[GIVEN:.*]] = bitcast float %x to i32
; CHECK-NEXT:    %[[NAN:.*]] = fcmp uno float %x, %x
; CHECK-NEXT:    %[[BITS:.*]] = select i1 %[[NAN]], i32 -1, i32 %[[GIVEN]]
; CHECK-NEXT:    %[[SIGN:.*]] = icmp slt i32 %[[BITS]], 0
; CHECK-NEXT:    br i1 %[[SIGN]], label %[[NEGATIVE:.*]], label %[[POSITIVE:.*]]
; CHECK:       [[NEGATIVE]]:
; CHECK-NEXT:    %[[A:.*]] = atomicrmw umin ptr addrspace(1) %p, i32 %[[BITS]] syncscope("device") acq_rel
; CHECK:       [[POSITIVE]]:
; CHECK-NEXT:    %[[B:.*]] = atomicrmw max ptr addrspace(1) %p, i32 %[[BITS]] syncscope("device") acq_rel
; CHECK:         %[[FOUND:.*]] = phi i32 [ %[[A]], %[[NEGATIVE]] ], [ %[[B]], %[[POSITIVE]] ]
; CHECK-NEXT:    %[[FIRST:.*]] = bitcast i32 %[[FOUND]] to float
; CHECK-NEXT:    %[[STUCK:.*]] = icmp sgt i32 %[[FOUND]], 2139095040
; CHECK-NEXT:    br i1 %[[STUCK]], label %[[AGAIN:.*]], label %{{.*}}
; CHECK:       [[AGAIN]]:
; CHECK-NEXT:    %old = atomicrmw fmax ptr addrspace(1) %p, float %x syncscope("device") acq_rel
; CHECK:         %[[OLD:.*]] = phi float [ %[[FIRST]], %{{.*}} ], [ %old, %[[AGAIN]] ]
; CHECK-NEXT:    ret float %[[OLD]]
define float @maximum(ptr addrspace(1) %p, float %x) {
  %old = atomicrmw fmax ptr addrspace(1) %p, float %x syncscope("device") acq_rel
  ret float %old
}

; CHECK-LABEL: @minimum(
; CHECK:         select i1 %{{.*}}, i64 9223372036854775807, i64 %{{.*}}
; CHECK:         atomicrmw umax ptr %p, i64
; CHECK:         atomicrmw min ptr %p, i64
; CHECK:         icmp ugt i64 %{{.*}}, -4503599627370496
; CHECK:         atomicrmw fmin ptr %p, double %x
define void @minimum(ptr %p, double %x) {
  %old = atomicrmw fmin ptr %p, double %x monotonic
  ret void
}

; CHECK-LABEL: @no_nan(
; CHECK-NEXT:    %[[BITS:.*]] = bitcast float %x to i32
; CHECK:         atomicrmw umin
; CHECK:         atomicrmw max
; CHECK-NOT:     phi
; CHECK-NOT:     fmax
; CHECK:         ret void
define void @no_nan(ptr %p, float %x) "no-nans-fp-math"="true" {
  %old = atomicrmw fmax ptr %p, float %x monotonic
  ret void
}

; CHECK-LABEL: @used_no_nan(
; CHECK:         %[[FOUND:.*]] = phi i32
; CHECK-NEXT:    %[[OLD:.*]] = bitcast i32 %[[FOUND]] to float
; CHECK-NEXT:    ret float %[[OLD]]
define float @used_no_nan(ptr %p, float %x) "no-nans-fp-math"="true" {
  %old = atomicrmw fmin ptr %p, float %x monotonic
  ret float %old
}

; CHECK-LABEL: @halves(
; CHECK-NEXT:    atomicrmw fmax ptr %p, half %x monotonic
define void @halves(ptr %p, half %x) {
  %old = atomicrmw fmax ptr %p, half %x monotonic
  ret void
}
