; Loops of known length are unrolled whole, longer ones than LLVM unrolls, where that brings arrays of a work-item to
; registers, and they do not compute much more than they access them.
; RUN: sed 's/TWO/"falx-kind"="1"/; s/ANY//; s/ALL//; s/CROWD//; s/LONG//; s/TABLE//; s/GUESS//' %s | falx-opt -mtriple=nvptx64-nvidia-cuda -mcpu=sm_90 \
; RUN:   --passes=falx-ptx-optimization | FileCheck %s --check-prefix=TWO
; RUN: sed 's/ANY/"falx-kind"="1"/; s/TWO//; s/ALL//; s/CROWD//; s/LONG//; s/TABLE//; s/GUESS//' %s | falx-opt -mtriple=nvptx64-nvidia-cuda -mcpu=sm_90 \
; RUN:   --passes=falx-ptx-optimization | FileCheck %s --check-prefix=ANY
; RUN: sed 's/ALL/"falx-kind"="1"/; s/ANY//; s/TWO//; s/CROWD//; s/LONG//; s/TABLE//; s/GUESS//' %s | falx-opt -mtriple=nvptx64-nvidia-cuda -mcpu=sm_90 \
; RUN:   --passes=falx-ptx-optimization | FileCheck %s --check-prefix=ALL
; RUN: sed 's/CROWD/"falx-kind"="1"/; s/ANY//; s/TWO//; s/ALL//; s/LONG//; s/TABLE//; s/GUESS//' %s | falx-opt -mtriple=nvptx64-nvidia-cuda -mcpu=sm_90 \
; RUN:   --passes=falx-ptx-optimization | FileCheck %s --check-prefix=CROWD
; RUN: sed 's/LONG/"falx-kind"="1"/; s/ANY//; s/TWO//; s/ALL//; s/CROWD//; s/TABLE//; s/GUESS//' %s | falx-opt -mtriple=nvptx64-nvidia-cuda \
; RUN:   -mcpu=sm_90 --passes=falx-ptx-optimization | FileCheck %s --check-prefix=LONG
; RUN: sed 's/TABLE/"falx-kind"="1"/; s/ANY//; s/TWO//; s/ALL//; s/CROWD//; s/LONG//; s/GUESS//' %s \
; RUN:   | falx-opt -mtriple=nvptx64-nvidia-cuda -mcpu=sm_90 --passes=falx-ptx-optimization | FileCheck %s --check-prefix=TABLE
; RUN: sed 's/GUESS/"falx-kind"="1"/; s/ANY//; s/TWO//; s/ALL//; s/CROWD//; s/LONG//; s/TABLE//' %s \
; RUN:   | falx-opt -mtriple=nvptx64-nvidia-cuda -mcpu=sm_90 --passes=falx-ptx-optimization | FileCheck %s --check-prefix=GUESS

target triple = "nvptx64-nvidia-cuda"

; TWO-LABEL: @through_two_loops(
; TWO-NOT: alloca
; TWO-NOT: phi
; TWO: ret void
define ptx_kernel void @through_two_loops(ptr readonly byval([16 x i8]) %f) TWO {
entry:
  %in.flat = load ptr, ptr %f
  %f8 = getelementptr i8, ptr %f, i64 8
  %out.flat = load ptr, ptr %f8
  %in = addrspacecast ptr %in.flat to ptr addrspace(1)
  %out = addrspacecast ptr %out.flat to ptr addrspace(1)
  %values = alloca [16 x float], align 16
  br label %read
read:
  %i = phi i64 [ 0, %entry ], [ %i.next, %read ]
  %from = getelementptr float, ptr addrspace(1) %in, i64 %i
  %x = load float, ptr addrspace(1) %from
  %to = getelementptr [16 x float], ptr %values, i64 0, i64 %i
  store float %x, ptr %to
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 16
  br i1 %more, label %read, label %compute
compute:
  %k = phi i64 [ 0, %read ], [ %k.next, %compute ]
  %at = getelementptr [16 x float], ptr %values, i64 0, i64 %k
  %v0 = load float, ptr %at
  %v1 = call float @long_body(float %v0)
  %result = getelementptr float, ptr addrspace(1) %out, i64 %k
  store float %v1, ptr addrspace(1) %result
  %k.next = add nuw nsw i64 %k, 1
  %again = icmp ult i64 %k.next, 16
  br i1 %again, label %compute, label %end
end:
  ret void
}

; What the launch decides indexes the array: it stays, and so does the loop that is as long.
; ANY-LABEL: @at_any_index(
; ANY: alloca
; ANY: phi
; ANY: ret void
define ptx_kernel void @at_any_index(ptr readonly byval([24 x i8]) %f) ANY {
entry:
  %in.flat = load ptr, ptr %f
  %f8 = getelementptr i8, ptr %f, i64 8
  %out.flat = load ptr, ptr %f8
  %f16 = getelementptr i8, ptr %f, i64 16
  %any = load i64, ptr %f16
  %in = addrspacecast ptr %in.flat to ptr addrspace(1)
  %out = addrspacecast ptr %out.flat to ptr addrspace(1)
  %values = alloca [16 x float], align 16
  br label %read
read:
  %i = phi i64 [ 0, %entry ], [ %i.next, %read ]
  %from = getelementptr float, ptr addrspace(1) %in, i64 %i
  %x = load float, ptr addrspace(1) %from
  %v1 = call float @long_body(float %x)
  %to = getelementptr [16 x float], ptr %values, i64 0, i64 %i
  store float %v1, ptr %to
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 16
  br i1 %more, label %read, label %end
end:
  %at = getelementptr [16 x float], ptr %values, i64 0, i64 %any
  %v = load float, ptr %at
  store float %v, ptr addrspace(1) %out
  ret void
}

; LONG-LABEL: @mostly_computing(
; LONG: alloca
; LONG: phi
; LONG: ret void
define ptx_kernel void @mostly_computing(ptr readonly byval([16 x i8]) %f) LONG {
entry:
  %in.flat = load ptr, ptr %f
  %f8 = getelementptr i8, ptr %f, i64 8
  %out.flat = load ptr, ptr %f8
  %in = addrspacecast ptr %in.flat to ptr addrspace(1)
  %out = addrspacecast ptr %out.flat to ptr addrspace(1)
  %values = alloca [16 x float], align 16
  br label %read
read:
  %i = phi i64 [ 0, %entry ], [ %i.next, %read ]
  %from = getelementptr float, ptr addrspace(1) %in, i64 %i
  %x = load float, ptr addrspace(1) %from
  %to = getelementptr [16 x float], ptr %values, i64 0, i64 %i
  store float %x, ptr %to
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 16
  br i1 %more, label %read, label %compute
compute:
  %k = phi i64 [ 0, %read ], [ %k.next, %compute ]
  %at = getelementptr [16 x float], ptr %values, i64 0, i64 %k
  %v0 = load float, ptr %at
  %v01 = call float @long_body(float %v0)
  %v1 = call float @long_body(float %v01)
  %result = getelementptr float, ptr addrspace(1) %out, i64 %k
  store float %v1, ptr addrspace(1) %result
  %k.next = add nuw nsw i64 %k, 1
  %again = icmp ult i64 %k.next, 16
  br i1 %again, label %compute, label %end
end:
  ret void
}

define internal float @long_body(float %x) alwaysinline {
  %a0 = fmul float %x, %x
  %b0 = fadd float %a0, %x
  %a1 = fmul float %b0, %x
  %b1 = fadd float %a1, %x
  %a2 = fmul float %b1, %x
  %b2 = fadd float %a2, %x
  %a3 = fmul float %b2, %x
  %b3 = fadd float %a3, %x
  %a4 = fmul float %b3, %x
  %b4 = fadd float %a4, %x
  %a5 = fmul float %b4, %x
  %b5 = fadd float %a5, %x
  %a6 = fmul float %b5, %x
  %b6 = fadd float %a6, %x
  %a7 = fmul float %b6, %x
  %b7 = fadd float %a7, %x
  %a8 = fmul float %b7, %x
  %b8 = fadd float %a8, %x
  %a9 = fmul float %b8, %x
  %b9 = fadd float %a9, %x
  %a10 = fmul float %b9, %x
  %b10 = fadd float %a10, %x
  %a11 = fmul float %b10, %x
  %b11 = fadd float %a11, %x
  %a12 = fmul float %b11, %x
  %b12 = fadd float %a12, %x
  %a13 = fmul float %b12, %x
  %b13 = fadd float %a13, %x
  %a14 = fmul float %b13, %x
  %b14 = fadd float %a14, %x
  %a15 = fmul float %b14, %x
  %b15 = fadd float %a15, %x
  %a16 = fmul float %b15, %x
  %b16 = fadd float %a16, %x
  %a17 = fmul float %b16, %x
  %b17 = fadd float %a17, %x
  %a18 = fmul float %b17, %x
  %b18 = fadd float %a18, %x
  %a19 = fmul float %b18, %x
  %b19 = fadd float %a19, %x
  %a20 = fmul float %b19, %x
  %b20 = fadd float %a20, %x
  %a21 = fmul float %b20, %x
  %b21 = fadd float %a21, %x
  %a22 = fmul float %b21, %x
  %b22 = fadd float %a22, %x
  %a23 = fmul float %b22, %x
  %b23 = fadd float %a23, %x
  ret float %b23
}

; Three arrays of a quarter of the registers each can be in them all at once.
; ALL-LABEL: @three_arrays(
; ALL-NOT: alloca
; ALL: ret void
define ptx_kernel void @three_arrays(ptr readonly byval([16 x i8]) %f) ALL {
entry:
  %in.flat = load ptr, ptr %f
  %f8 = getelementptr i8, ptr %f, i64 8
  %out.flat = load ptr, ptr %f8
  %in = addrspacecast ptr %in.flat to ptr addrspace(1)
  %out = addrspacecast ptr %out.flat to ptr addrspace(1)
  %a = alloca [32 x double], align 16
  %b = alloca [32 x double], align 16
  %c = alloca [32 x double], align 16
  br label %read
read:
  %i = phi i64 [ 0, %entry ], [ %i.next, %read ]
  %from = getelementptr double, ptr addrspace(1) %in, i64 %i
  %x = load double, ptr addrspace(1) %from
  %to.a = getelementptr [32 x double], ptr %a, i64 0, i64 %i
  %given.a = fadd double %x, 1.0
  store double %given.a, ptr %to.a
  %to.b = getelementptr [32 x double], ptr %b, i64 0, i64 %i
  %given.b = fadd double %x, 2.0
  store double %given.b, ptr %to.b
  %to.c = getelementptr [32 x double], ptr %c, i64 0, i64 %i
  %given.c = fadd double %x, 3.0
  store double %given.c, ptr %to.c
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 32
  br i1 %more, label %read, label %compute
compute:
  %k = phi i64 [ 0, %read ], [ %k.next, %compute ]
  %start = uitofp i64 %k to double
  %at.a = getelementptr [32 x double], ptr %a, i64 0, i64 %k
  %v.a = load double, ptr %at.a
  %product.a = fmul double %start, %v.a
  %at.b = getelementptr [32 x double], ptr %b, i64 0, i64 %k
  %v.b = load double, ptr %at.b
  %product.b = fmul double %product.a, %v.b
  %at.c = getelementptr [32 x double], ptr %c, i64 0, i64 %k
  %v.c = load double, ptr %at.c
  %product.c = fmul double %product.b, %v.c
  %result = getelementptr double, ptr addrspace(1) %out, i64 %k
  store double %product.c, ptr addrspace(1) %result
  %k.next = add nuw nsw i64 %k, 1
  %again = icmp ult i64 %k.next, 32
  br i1 %again, label %compute, label %end
end:
  ret void
}

; Four cannot, and the loops go through all of them.
; CROWD-LABEL: @four_arrays(
; CROWD-COUNT-4: alloca
; CROWD: phi
; CROWD: ret void
define ptx_kernel void @four_arrays(ptr readonly byval([16 x i8]) %f) CROWD {
entry:
  %in.flat = load ptr, ptr %f
  %f8 = getelementptr i8, ptr %f, i64 8
  %out.flat = load ptr, ptr %f8
  %in = addrspacecast ptr %in.flat to ptr addrspace(1)
  %out = addrspacecast ptr %out.flat to ptr addrspace(1)
  %a = alloca [32 x double], align 16
  %b = alloca [32 x double], align 16
  %c = alloca [32 x double], align 16
  %d = alloca [32 x double], align 16
  br label %read
read:
  %i = phi i64 [ 0, %entry ], [ %i.next, %read ]
  %from = getelementptr double, ptr addrspace(1) %in, i64 %i
  %x = load double, ptr addrspace(1) %from
  %to.a = getelementptr [32 x double], ptr %a, i64 0, i64 %i
  %given.a = fadd double %x, 1.0
  store double %given.a, ptr %to.a
  %to.b = getelementptr [32 x double], ptr %b, i64 0, i64 %i
  %given.b = fadd double %x, 2.0
  store double %given.b, ptr %to.b
  %to.c = getelementptr [32 x double], ptr %c, i64 0, i64 %i
  %given.c = fadd double %x, 3.0
  store double %given.c, ptr %to.c
  %to.d = getelementptr [32 x double], ptr %d, i64 0, i64 %i
  %given.d = fadd double %x, 4.0
  store double %given.d, ptr %to.d
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 32
  br i1 %more, label %read, label %compute
compute:
  %k = phi i64 [ 0, %read ], [ %k.next, %compute ]
  %start = uitofp i64 %k to double
  %at.a = getelementptr [32 x double], ptr %a, i64 0, i64 %k
  %v.a = load double, ptr %at.a
  %product.a = fmul double %start, %v.a
  %at.b = getelementptr [32 x double], ptr %b, i64 0, i64 %k
  %v.b = load double, ptr %at.b
  %product.b = fmul double %product.a, %v.b
  %at.c = getelementptr [32 x double], ptr %c, i64 0, i64 %k
  %v.c = load double, ptr %at.c
  %product.c = fmul double %product.b, %v.c
  %at.d = getelementptr [32 x double], ptr %d, i64 0, i64 %k
  %v.d = load double, ptr %at.d
  %product.d = fmul double %product.c, %v.d
  %result = getelementptr double, ptr addrspace(1) %out, i64 %k
  store double %product.d, ptr addrspace(1) %result
  %k.next = add nuw nsw i64 %k, 1
  %again = icmp ult i64 %k.next, 32
  br i1 %again, label %compute, label %end
end:
  ret void
}

@reversed = internal addrspace(1) constant [16 x i32] [i32 0, i32 8, i32 4, i32 12, i32 2, i32 10, i32 6, i32 14,
  i32 1, i32 9, i32 5, i32 13, i32 3, i32 11, i32 7, i32 15]
@changing = addrspace(1) global [16 x i32] zeroinitializer

; A table that is a constant has the indices.
; TABLE-LABEL: @by_a_table(
; TABLE-NOT: alloca
; TABLE-NOT: phi
; TABLE: ret void
define ptx_kernel void @by_a_table(ptr readonly byval([16 x i8]) %f) TABLE {
entry:
  %in.flat = load ptr, ptr %f
  %f8 = getelementptr i8, ptr %f, i64 8
  %out.flat = load ptr, ptr %f8
  %in = addrspacecast ptr %in.flat to ptr addrspace(1)
  %out = addrspacecast ptr %out.flat to ptr addrspace(1)
  %values = alloca [16 x float], align 16
  br label %read
read:
  %i = phi i64 [ 0, %entry ], [ %i.next, %read ]
  %from = getelementptr float, ptr addrspace(1) %in, i64 %i
  %x = load float, ptr addrspace(1) %from
  %to = getelementptr [16 x float], ptr %values, i64 0, i64 %i
  store float %x, ptr %to
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 16
  br i1 %more, label %read, label %compute
compute:
  %k = phi i64 [ 0, %read ], [ %k.next, %compute ]
  %entry.of = getelementptr [16 x i32], ptr addrspace(1) @reversed, i64 0, i64 %k
  %place = load i32, ptr addrspace(1) %entry.of
  %place.wide = sext i32 %place to i64
  %at = getelementptr [16 x float], ptr %values, i64 0, i64 %place.wide
  %v0 = load float, ptr %at
  %v1 = call float @long_body(float %v0)
  %result = getelementptr float, ptr addrspace(1) %out, i64 %k
  store float %v1, ptr addrspace(1) %result
  %k.next = add nuw nsw i64 %k, 1
  %again = icmp ult i64 %k.next, 16
  br i1 %again, label %compute, label %end
end:
  ret void
}

; A table that others may write to has them.
; GUESS-LABEL: @by_what_changes(
; GUESS: alloca
; GUESS: ret void
define ptx_kernel void @by_what_changes(ptr readonly byval([16 x i8]) %f) GUESS {
entry:
  %in.flat = load ptr, ptr %f
  %f8 = getelementptr i8, ptr %f, i64 8
  %out.flat = load ptr, ptr %f8
  %in = addrspacecast ptr %in.flat to ptr addrspace(1)
  %out = addrspacecast ptr %out.flat to ptr addrspace(1)
  %values = alloca [16 x float], align 16
  br label %read
read:
  %i = phi i64 [ 0, %entry ], [ %i.next, %read ]
  %from = getelementptr float, ptr addrspace(1) %in, i64 %i
  %x = load float, ptr addrspace(1) %from
  %to = getelementptr [16 x float], ptr %values, i64 0, i64 %i
  store float %x, ptr %to
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 16
  br i1 %more, label %read, label %compute
compute:
  %k = phi i64 [ 0, %read ], [ %k.next, %compute ]
  %entry.of = getelementptr [16 x i32], ptr addrspace(1) @changing, i64 0, i64 %k
  %place = load i32, ptr addrspace(1) %entry.of
  %place.wide = sext i32 %place to i64
  %at = getelementptr [16 x float], ptr %values, i64 0, i64 %place.wide
  %v0 = load float, ptr %at
  %v1 = call float @long_body(float %v0)
  %result = getelementptr float, ptr addrspace(1) %out, i64 %k
  store float %v1, ptr addrspace(1) %result
  %k.next = add nuw nsw i64 %k, 1
  %again = icmp ult i64 %k.next, 16
  br i1 %again, label %compute, label %end
end:
  ret void
}
