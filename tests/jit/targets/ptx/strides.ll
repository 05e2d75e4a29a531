; Addresses at multiples of a stride from the first one are made one from the other.
; RUN: falx-opt --passes=falx-ptx-strides,verify %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: @column
; CHECK-NOT: shl i64 %s, 1
; CHECK-NOT: mul
; CHECK: %p1 = getelementptr i8, ptr %p, i64 %s
; CHECK: %p2 = getelementptr i8, ptr %p1, i64 %s
; CHECK: %p3 = getelementptr i8, ptr %p2, i64 %s
; CHECK: %after = getelementptr i8, ptr %p3, i64 %s
define float @column(ptr %x, i64 %s, i64 %n) {
entry:
  %twice = shl i64 %s, 1
  %thrice = mul i64 %s, 3
  %all = shl i64 %s, 2
  br label %loop
loop:
  %p = phi ptr [ %x, %entry ], [ %after, %loop ]
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %d3, %loop ]
  %a = load float, ptr %p
  %d0 = fadd float %sum, %a
  %p1 = getelementptr inbounds i8, ptr %p, i64 %s
  %b = load float, ptr %p1
  %d1 = fadd float %d0, %b
  %p2 = getelementptr inbounds i8, ptr %p, i64 %twice
  %c = load float, ptr %p2
  %d2 = fadd float %d1, %c
  %p3 = getelementptr inbounds i8, ptr %p, i64 %thrice
  %d = load float, ptr %p3
  %d3 = fadd float %d2, %d
  %next = add i64 %i, 4
  %after = getelementptr i8, ptr %p, i64 %all
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop
end:
  ret float %d3
}

; Of other distances, of constants and of what changes in the loop it is not said.
; CHECK-LABEL: @others
; CHECK: %p1 = getelementptr i8, ptr %p, i64 %s
; CHECK: %p2 = getelementptr i8, ptr %p, i64 %t
; CHECK: %p3 = getelementptr i8, ptr %p, i64 %i
; CHECK: %after = getelementptr i8, ptr %p, i64 16
define float @others(ptr %x, i64 %s, i64 %t, i64 %n) {
entry:
  br label %loop
loop:
  %p = phi ptr [ %x, %entry ], [ %after, %loop ]
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p1 = getelementptr i8, ptr %p, i64 %s
  %b = load float, ptr %p1
  %p2 = getelementptr i8, ptr %p, i64 %t
  %c = load float, ptr %p2
  %p3 = getelementptr i8, ptr %p, i64 %i
  %d = load float, ptr %p3
  %sum = fadd float %b, %c
  %more = fadd float %sum, %d
  %next = add i64 %i, 4
  %after = getelementptr i8, ptr %p, i64 16
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop
end:
  ret float %more
}

; An address that is not always computed leads to no other.
; CHECK-LABEL: @sometimes
; CHECK: %p1 = getelementptr i8, ptr %p, i64 %s
; CHECK: %p2 = getelementptr i8, ptr %p, i64 %twice
define void @sometimes(ptr %x, i64 %s, i64 %n, i1 %which) {
entry:
  %twice = shl i64 %s, 1
  br label %loop
loop:
  %p = phi ptr [ %x, %entry ], [ %after, %both ]
  %i = phi i64 [ 0, %entry ], [ %next, %both ]
  br i1 %which, label %one, label %both
one:
  %p1 = getelementptr i8, ptr %p, i64 %s
  store i32 1, ptr %p1
  br label %both
both:
  %p2 = getelementptr i8, ptr %p, i64 %twice
  store i32 2, ptr %p2
  %next = add i64 %i, 4
  %after = getelementptr i8, ptr %p, i64 16
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop
end:
  ret void
}

; Distances that are narrower than a pointer are extended each by itself.
; CHECK-LABEL: @narrow
; CHECK: %p1 = getelementptr i8, ptr %p, i32 %s
; CHECK: %p2 = getelementptr i8, ptr %p, i32 %twice
define void @narrow(ptr %x, i32 %s, i64 %n) {
entry:
  %twice = shl i32 %s, 1
  br label %loop
loop:
  %p = phi ptr [ %x, %entry ], [ %after, %loop ]
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p1 = getelementptr i8, ptr %p, i32 %s
  store i32 1, ptr %p1
  %p2 = getelementptr i8, ptr %p, i32 %twice
  store i32 2, ptr %p2
  %next = add i64 %i, 4
  %after = getelementptr i8, ptr %p, i64 16
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop
end:
  ret void
}
