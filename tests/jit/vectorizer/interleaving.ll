; How many sub-groups of four run as one vector, where a loop waits for its own results: by the instructions in loops, which decide
; whether the registers will do. Of the kernel below each test makes its own: LINES becomes lines of the loop, which has seven.
; DEFINE: %{lines} =
; DEFINE: %{change} =
; DEFINE: %{lanes} = sed -e 's/^LINES$/%{lines}/' -e '/^AA*$/s/A/  fadd float %y, 1.0\n/g' -e 's/%{change}' %s | falx-opt --passes=falx-lower-builtins,falx-interleave,falx-vectorize-range,falx-kernel-function -S - | FileCheck %s --check-prefix
; REDEFINE: %{change} = ^$//

; Eight of up to 10 instructions.
; REDEFINE: %{lines} =
; RUN: %{lanes}=EIGHT
; REDEFINE: %{lines} = AAA
; RUN: %{lanes}=EIGHT
; EIGHT: fmul <32 x float>
; EIGHT: udiv i64 %size, 32
; EIGHT: rest.x:
; EIGHT: call void @kernel.work_item.rest.lanes({{.*}}, <4 x i1> %active)

; Four of up to 16.
; REDEFINE: %{lines} = AAAA
; RUN: %{lanes}=FOUR
; REDEFINE: %{lines} = AAAAAAAAA
; RUN: %{lanes}=FOUR
; FOUR: fmul <16 x float>
; FOUR: udiv i64 %size, 16
; FOUR: rest.x:

; Two of up to 48.
; REDEFINE: %{lines} = AAAAAAAAAA
; RUN: %{lanes}=TWO
; REDEFINE: %{lines} = AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
; RUN: %{lanes}=TWO
; TWO: fmul <8 x float>
; TWO: udiv i64 %size, 8
; TWO: rest.x:

; One of more.
; REDEFINE: %{lines} = AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
; RUN: %{lanes}=ONE
; ONE: define internal void @kernel.work_item.lanes(
; ONE-SAME: <4 x i1> %active)
; ONE: define internal void @kernel(
; ONE: udiv i64 %size, 4
; ONE-NOT: rest.x:

; A double counts twice.
; REDEFINE: %{lines} = AAA
; REDEFINE: %{change} = float/double/g;s/f32/f64/g
; RUN: %{lanes}=DOUBLES
; DOUBLES: fmul <8 x double>

; No more than 128 lanes.
; REDEFINE: %{lines} =
; REDEFINE: %{change} = "falx-sub-group-size"="4"/"falx-sub-group-size"="64"/
; RUN: %{lanes}=WIDE
; WIDE: fmul <128 x float>

; A load whose address comes from one of each work-item's own would be a gather, which takes longer than the chain. Others do not matter.
; REDEFINE: %{change} = ^$//
; REDEFINE: %{lines} = %own = getelementptr i64, ptr %data, i64 %id\n%i = load i64, ptr %own\n%g = getelementptr float, ptr %data, i64 %i\nload float, ptr %g
; RUN: %{lanes}=ONE
; REDEFINE: %{lines} = %own = getelementptr i64, ptr %data, i64 %id\n%i = load i64, ptr %own
; RUN: %{lanes}=EIGHT
; REDEFINE: %{lines} = %i = load i64, ptr %data\n%g = getelementptr float, ptr %data, i64 %i\nload float, ptr %g
; RUN: %{lanes}=EIGHT

; Atomics and functions. Intrinsics do not matter.
; REDEFINE: %{lines} = atomicrmw add ptr %data, i32 1 monotonic
; RUN: %{lanes}=ONE
; REDEFINE: %{lines} = load atomic i32, ptr %data monotonic, align 4
; RUN: %{lanes}=ONE
; REDEFINE: %{lines} = call void @elsewhere()
; RUN: %{lanes}=ONE
; REDEFINE: %{lines} = call float @llvm.sqrt.f32(float %y)
; RUN: %{lanes}=EIGHT

; Memory of an iteration's own.
; REDEFINE: %{lines} = alloca i32
; RUN: sed -e 's/^LINES$/%{lines}/' %s | falx-opt --passes=falx-lower-builtins,falx-interleave -S - | FileCheck %s --check-prefix=ALLOCA
; ALLOCA: "falx-sub-group-size"="4"
; ALLOCA-NOT: "falx-lanes"

; No chain: no number with a fraction goes from one iteration to the next.
; REDEFINE: %{lines} =
; REDEFINE: %{change} = %x = phi .*/%x = fadd float %first, 1.0/
; RUN: %{lanes}=ONE

; Of work-groups as many as whole vectors of them fill a row: 64 work-items are two vectors of 32, 48 three of 16; others are not known.
; REDEFINE: %{lines} =
; DEFINE: %{groups} = sed -e 's/^LINES$/%{lines}/' -e 's/"falx-kind"="1"/%{change}/' %s | falx-opt --passes=falx-lower-builtins,falx-interleave,falx-split-barriers -S - | FileCheck %s --check-prefix
; REDEFINE: %{change} = "falx-kind"="2" "falx-local-range"="64,1,1"
; RUN: %{groups}=ROW-64
; ROW-64: fmul <32 x float>
; REDEFINE: %{change} = "falx-kind"="2" "falx-local-range"="48,2,1"
; RUN: %{groups}=ROW-48
; ROW-48: fmul <16 x float>
; REDEFINE: %{change} = "falx-kind"="2" "falx-local-range"="12,4,1"
; RUN: %{groups}=OTHERS
; REDEFINE: %{change} = "falx-kind"="2"
; RUN: %{groups}=OTHERS
; OTHERS: fmul <4 x float>

; Sub-groups of work-groups that know of each other: functions of sub-groups, and the fences that these leave.
; REDEFINE: %{change} = "falx-kind"="2" "falx-local-range"="64,1,1"
; REDEFINE: %{lines} = fence syncscope("singlethread") seq_cst
; RUN: %{groups}=OTHERS
; REDEFINE: %{lines} = call i1 @__falx_sub_group_any(i1 true)
; RUN: %{groups}=OTHERS

declare i64 @__falx_global_id_x()
declare i1 @__falx_sub_group_any(i1)
declare void @elsewhere()
declare float @llvm.sqrt.f32(float)

define void @kernel(ptr %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="4" {
entry:
  %id = call i64 @__falx_global_id_x()
  %data = load ptr, ptr %f
  %at = getelementptr float, ptr %data, i64 %id
  %first = load float, ptr %at
  br label %loop
loop:
  %n = phi i32 [ 0, %entry ], [ %n.next, %loop ]
  %x = phi float [ %first, %entry ], [ %x.next, %loop ]
  %y = fadd float %x, 1.0
LINES
  %x.next = fmul float %y, %y
  %n.next = add i32 %n, 1
  %done = icmp eq i32 %n.next, 100
  br i1 %done, label %end, label %loop
end:
  store float %x.next, ptr %at
  ret void
}
