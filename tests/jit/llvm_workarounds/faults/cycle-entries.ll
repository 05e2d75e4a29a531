; LLVM by itself, no code of Falx. If this fails, LLVM no longer has the fault, and separate_entries_of_cycles
; (jit/vectorizer/control/prepare_for_lanes.cpp) may go. Upstream: akin to llvm/llvm-project issue 191979, where both successors
; are the same block.
;
; %both branches to both entries of the cycle. Only the edge to %second is led through the new header, but the phi of %first
; moves there with the value of both edges: on the direct edge, %sum is computed from what %x was before, not from %tripled.
; RUN: opt -passes=fix-irreducible -S %s | FileCheck %s

; CHECK-LABEL: define i32 @f(
; CHECK: first: ; preds = %irr.guard, %both
; CHECK-NEXT: %sum = add i32 %x.moved, 5
; CHECK: br i1 %to.first, label %first, label %irr.guard
; CHECK: irr.guard:
; CHECK-NEXT: %x.moved = phi i32 [ %tripled, %both ]
define i32 @f(i32 %start, i1 %which) {
entry:
  br i1 %which, label %first, label %second
first:
  %x = phi i32 [ %start, %entry ], [ %tripled, %both ]
  %sum = add i32 %x, 5
  br label %second
second:
  %y = phi i32 [ 0, %entry ], [ %sum, %first ], [ %halved, %both ]
  %done = icmp ugt i32 %y, 1000
  br i1 %done, label %end, label %both
both:
  %tripled = mul i32 %y, 3
  %halved = add i32 %y, 7
  %to.first = icmp ult i32 %halved, 100
  br i1 %to.first, label %first, label %second
end:
  ret i32 %y
}
