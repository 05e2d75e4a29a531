; Innermost loops get a version for either way of a condition that the launch decides, the same for all
; work-items: a flag that the kernel is passed, or what is computed from such. Long loops do not, nor do loops
; around others, and not for conditions in which work-items may differ.
; RUN: falx-opt --passes=falx-ptx-unswitching -S %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32)
declare i32 @llvm.smin.i32(i32, i32)

; Of two strides each version has one.
; CHECK-LABEL: @selection
; CHECK: br i1 %flag.fr, label
; CHECK-NOT: = select
; CHECK: load float
; CHECK-NOT: = select
; CHECK: load float
; CHECK-NOT: = select
; CHECK: ret void
define ptx_kernel void @selection(ptr byval({ i8 }) %object, ptr %x, ptr %to, i32 %n, i32 %width) {
entry:
  %byte = load i8, ptr %object
  %flag = trunc i8 %byte to i1
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %row = mul i32 %i, %width
  %at = select i1 %flag, i32 %row, i32 %i
  %p = getelementptr float, ptr %x, i32 %at
  %v = load float, ptr %p
  %more = fadd float %sum, %v
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  store float %more, ptr %to
  ret void
}

; One version reads the weights, the other has a constant.
; CHECK-LABEL: @branch
; CHECK: entry:
; CHECK: br i1 %has_none, label
; CHECK-NOT: load
; CHECK: load float, ptr %q.us
; CHECK-NOT: load
; CHECK: load float, ptr %p
; CHECK-NEXT: br label %joined
; CHECK: ret void
define ptx_kernel void @branch(ptr %x, ptr %weights, ptr %to, i32 %n) {
entry:
  %has_none = icmp eq ptr %weights, null
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %joined ]
  %sum = phi float [ 0.0, %entry ], [ %more, %joined ]
  br i1 %has_none, label %joined, label %weighted
weighted:
  %p = getelementptr float, ptr %weights, i32 %i
  %w = load float, ptr %p
  br label %joined
joined:
  %weight = phi float [ 1.0, %loop ], [ %w, %weighted ]
  %q = getelementptr float, ptr %x, i32 %i
  %v = load float, ptr %q
  %part = fmul float %v, %weight
  %more = fadd float %sum, %part
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  store float %more, ptr %to
  ret void
}

; CHECK-LABEL: @computed
; CHECK: br i1 %is_small.fr, label
; CHECK: ret void
define ptx_kernel void @computed(ptr %x, ptr %to, i32 %n, i32 %width) {
entry:
  %less = call i32 @llvm.smin.i32(i32 %n, i32 %width)
  %half = lshr i32 %less, 1
  %is_small = icmp ult i32 %half, 100
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %row = mul i32 %i, %width
  %at = select i1 %is_small, i32 %row, i32 %i
  %p = getelementptr float, ptr %x, i32 %at
  %v = load float, ptr %p
  %more = fadd float %sum, %v
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  store float %more, ptr %to
  ret void
}

; A warp would go through both versions.
; CHECK-LABEL: @of_work_item
; CHECK-NOT: br i1 %is_first
; CHECK: ret void
define ptx_kernel void @of_work_item(ptr %x, ptr %to, i32 %n, i32 %width) {
entry:
  %item = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %is_first = icmp slt i32 %item, %width
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %row = mul i32 %i, %width
  %at = select i1 %is_first, i32 %row, i32 %i
  %p = getelementptr float, ptr %x, i32 %at
  %v = load float, ptr %p
  %more = fadd float %sum, %v
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  store float %more, ptr %to
  ret void
}

; LLVM would take either condition.
; CHECK-LABEL: @of_work_item_and_launch
; CHECK-NOT: br i1 %flag
; CHECK-NOT: br i1 %is_first
; CHECK: ret void
define ptx_kernel void @of_work_item_and_launch(ptr %x, ptr %to, i32 %n, i32 %width, i1 %flag) {
entry:
  %item = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %is_first = icmp slt i32 %item, %width
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %row = mul i32 %i, %width
  %at = select i1 %flag, i32 %row, i32 %i
  %p = getelementptr float, ptr %x, i32 %at
  %v = load float, ptr %p
  %part = select i1 %is_first, float %v, float 1.0
  %more = fadd float %sum, %part
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  store float %more, ptr %to
  ret void
}

; A function may be called with an argument for each work-item.
; CHECK-LABEL: @of_caller
; CHECK-NOT: br i1 %flag
; CHECK: ret void
define void @of_caller(ptr %x, ptr %to, i32 %n, i32 %width, i1 %flag) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %row = mul i32 %i, %width
  %at = select i1 %flag, i32 %row, i32 %i
  %p = getelementptr float, ptr %x, i32 %at
  %v = load float, ptr %p
  %more = fadd float %sum, %v
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  store float %more, ptr %to
  ret void
}

; Work-items exchange values in the loop.
; CHECK-LABEL: @exchange
; CHECK-NOT: br i1 %flag
; CHECK: ret void
define ptx_kernel void @exchange(ptr %to, i32 %n, i32 %width, i1 %flag) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %more, %loop ]
  %at = select i1 %flag, i32 %width, i32 %i
  %other = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %at, i32 1, i32 31)
  %more = add i32 %sum, %other
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  store i32 %more, ptr %to
  ret void
}

; Two of it would be more than fifty instructions longer.
; CHECK-LABEL: @long
; CHECK-NOT: br i1 %flag
; CHECK: ret void
define ptx_kernel void @long(ptr %x, ptr %to, i32 %n, i32 %width, i1 %flag, float %c) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %row = mul i32 %i, %width
  %at = select i1 %flag, i32 %row, i32 %i
  %p = getelementptr float, ptr %x, i32 %at
  %v0 = load float, ptr %p
  %v1 = fadd float %v0, %c
  %v2 = fmul float %v1, %c
  %v3 = fadd float %v2, %c
  %v4 = fmul float %v3, %c
  %v5 = fadd float %v4, %c
  %v6 = fmul float %v5, %c
  %v7 = fadd float %v6, %c
  %v8 = fmul float %v7, %c
  %v9 = fadd float %v8, %c
  %v10 = fmul float %v9, %c
  %v11 = fadd float %v10, %c
  %v12 = fmul float %v11, %c
  %v13 = fadd float %v12, %c
  %v14 = fmul float %v13, %c
  %v15 = fadd float %v14, %c
  %v16 = fmul float %v15, %c
  %v17 = fadd float %v16, %c
  %v18 = fmul float %v17, %c
  %v19 = fadd float %v18, %c
  %v20 = fmul float %v19, %c
  %v21 = fadd float %v20, %c
  %v22 = fmul float %v21, %c
  %v23 = fadd float %v22, %c
  %v24 = fmul float %v23, %c
  %v25 = fadd float %v24, %c
  %v26 = fmul float %v25, %c
  %v27 = fadd float %v26, %c
  %v28 = fmul float %v27, %c
  %v29 = fadd float %v28, %c
  %v30 = fmul float %v29, %c
  %v31 = fadd float %v30, %c
  %v32 = fmul float %v31, %c
  %v33 = fadd float %v32, %c
  %v34 = fmul float %v33, %c
  %v35 = fadd float %v34, %c
  %v36 = fmul float %v35, %c
  %v37 = fadd float %v36, %c
  %v38 = fmul float %v37, %c
  %v39 = fadd float %v38, %c
  %v40 = fmul float %v39, %c
  %v41 = fadd float %v40, %c
  %v42 = fmul float %v41, %c
  %v43 = fadd float %v42, %c
  %v44 = fmul float %v43, %c
  %v45 = fadd float %v44, %c
  %v46 = fmul float %v45, %c
  %v47 = fadd float %v46, %c
  %v48 = fmul float %v47, %c
  %more = fadd float %sum, %v48
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  store float %more, ptr %to
  ret void
}

; What the outer loop would be spared is a branch around the inner one.
; CHECK-LABEL: @outer
; CHECK: entry:
; CHECK-NEXT: %has_columns =
; CHECK-NEXT: br label %rows
; CHECK: ret void
define ptx_kernel void @outer(ptr %x, ptr %to, i32 %n, i32 %width) {
entry:
  %has_columns = icmp sgt i32 %width, 0
  br label %rows
rows:
  %row = phi i32 [ 0, %entry ], [ %next_row, %next_rows ]
  %begun = phi float [ 0.0, %entry ], [ %ended, %next_rows ]
  br i1 %has_columns, label %first, label %next_rows
first:
  %begin = mul i32 %row, %width
  br label %columns
columns:
  %i = phi i32 [ 0, %first ], [ %next, %columns ]
  %sum = phi float [ %begun, %first ], [ %more, %columns ]
  %at = add i32 %begin, %i
  %p = getelementptr float, ptr %x, i32 %at
  %v = load float, ptr %p
  %more = fadd float %sum, %v
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %width
  br i1 %again, label %columns, label %next_rows
next_rows:
  %ended = phi float [ %begun, %rows ], [ %more, %columns ]
  %next_row = add i32 %row, 1
  %more_rows = icmp slt i32 %next_row, %n
  br i1 %more_rows, label %rows, label %end
end:
  store float %ended, ptr %to
  ret void
}
