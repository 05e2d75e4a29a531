; How many sub-groups run as one vector: as many as it takes to fill the units while a loop waits for its own results, if their
; values fit the registers. Of the kernel below, with a trip count that no pass knows, each test makes its own: LINES becomes
; lines of the loop, PHIS phis. COUNT is the number of sub-groups.
; DEFINE: %{phis} =
; DEFINE: %{lines} =
; DEFINE: %{change} = ^$//
; DEFINE: %{width} = 16
; DEFINE: %{cpu} = znver5
; DEFINE: %{count} = sed -e 's/^PHIS$/%{phis}/' -e 's/^LINES$/%{lines}/' -e '/^AA*$/s/A/  fadd float %x, 1.0\n/g' -e 's/WIDTH/%{width}/' -e 's/%{change}' %s | falx-opt --passes=falx-lower-builtins,falx-interleave --mcpu=%{cpu} -S - | FileCheck %s --check-prefix

; A sum: each waits 4 clocks for the one before, two begin in a clock.
; RUN: %{count}=EIGHT
; EIGHT: "falx-lanes"="128"
; The degree of the polynomial can be a constant as well.
; REDEFINE: %{change} = %degree = load .*/%degree = add i32 512, 0/
; RUN: %{count}=EIGHT
; REDEFINE: %{change} = ^$//

; Two additions in each iteration, four, eight, which fill the units.
; REDEFINE: %{lines} = AAA
; RUN: %{count}=TWO
; TWO: "falx-lanes"="32"
; REDEFINE: %{lines} = A
; RUN: %{count}=FOUR
; FOUR: "falx-lanes"="64"
; REDEFINE: %{lines} = AAAAAAA
; RUN: %{count}=ONE
; ONE: "falx-sub-group-size"="16"
; ONE-NOT: "falx-lanes"

; Doubles have two registers of AVX-512, each an operation.
; REDEFINE: %{lines} =
; REDEFINE: %{change} = float/double/g
; RUN: %{count}=FOUR
; REDEFINE: %{change} = ^$//

; What is the same for all lanes is done once, and what is the same in all iterations before the loop.
; REDEFINE: %{lines} = %j = fadd float %uniform, 1.0\n%k = fadd float %j, 1.0\n%u = fadd float %k, 1.0\n%v = fmul float %first, %first\n%w = fmul float %v, %first
; RUN: %{count}=EIGHT

; Integers: a product of 32 bits takes 10 clocks.
; REDEFINE: %{lines} = %b = bitcast float %x to i32\n%c = mul i32 %b, 1664525\n%z = bitcast i32 %c to float
; REDEFINE: %{change} = %x.next = .*/%x.next = bitcast i32 %c to float/
; RUN: %{count}=EIGHT

; Each lane loads from where it was told before: a gather takes little less than what waits for it.
; REDEFINE: %{lines} = %at.next = getelementptr i32, ptr %data, i32 %link\n%link.next = load i32, ptr %at.next
; REDEFINE: %{phis} = %link = phi i32 [ %own, %entry ], [ %link.next, %loop ]
; REDEFINE: %{change} = %x.next = .*/%x.next = fadd float %first, 1.0/
; RUN: %{count}=TWO
; A sum of what is gathered does not wait for itself.
; REDEFINE: %{lines} = %index = load i32, ptr %at\n%from = getelementptr float, ptr %data, i32 %index\n%g = load volatile float, ptr %from
; REDEFINE: %{phis} =
; REDEFINE: %{change} = ^$//
; RUN: %{count}=ONE

; Addresses as they likely lie, as 32 bits may wrap and the width of a row is not known: elements side by side, three apart, and of a row
; the same one for all lanes, but for vectors that go on in the next.
; REDEFINE: %{lines} = %k = add i32 %own, %n\n%i = zext i32 %k to i64\n%g.at = getelementptr float, ptr %data, i64 %i\n%g = load float, ptr %g.at\nstore float %g, ptr %g.at
; RUN: %{count}=FOUR
; REDEFINE: %{change} = add i32 %own, %n/mul i32 %own, 3/
; RUN: %{count}=ONE
; REDEFINE: %{change} = add i32 %own, %n/udiv i32 %own, %degree/
; RUN: %{count}=EIGHT
; REDEFINE: %{change} = add i32 %own, %n/udiv i32 %own, 8/
; RUN: %{count}=ONE
; REDEFINE: %{change} = ^$//

; A function of SLEEF: 60 clocks, 16 of them work.
; REDEFINE: %{lines} = %y = call float @llvm.sin.f32(float %x)
; REDEFINE: %{change} = %x.next = .*/%x.next = fadd float %y, 1.0/
; RUN: %{count}=FOUR
; Called lane by lane there is nothing to wait for.
; REDEFINE: %{change} = %x.next = .*/%x.next = fadd float %y, 1.0/;s/"falx-vector-math"="avx512f"//
; RUN: %{count}=ONE
; REDEFINE: %{lines} = call void @elsewhere()
; REDEFINE: %{change} = ^$//
; RUN: %{count}=ONE

; Registers: AVX2 has 16, of which each sub-group takes two.
; REDEFINE: %{cpu} = haswell
; REDEFINE: %{width} = 8
; REDEFINE: %{lines} =
; RUN: %{count}=EIGHT-OF-8
; EIGHT-OF-8: "falx-lanes"="64"
; REDEFINE: %{phis} = %q = phi float [ %first, %entry ], [ %x, %loop ]
; RUN: %{count}=FOUR-OF-8
; FOUR-OF-8: "falx-lanes"="32"
; REDEFINE: %{cpu} = znver5
; REDEFINE: %{width} = 16
; RUN: %{count}=EIGHT
; REDEFINE: %{phis} =

; No more than 128 lanes.
; REDEFINE: %{width} = 64
; RUN: %{count}=AT-MOST-128
; AT-MOST-128: "falx-lanes"="128"
; REDEFINE: %{width} = 16

; No recurrence but the counter's.
; REDEFINE: %{change} = %x = phi .*/%x = fadd float %first, 1.0/
; RUN: %{count}=ONE
; REDEFINE: %{change} = ^$//

; Atomics, and memory of an iteration's own.
; REDEFINE: %{lines} = atomicrmw add ptr %data, i32 1 monotonic
; RUN: %{count}=ONE
; REDEFINE: %{lines} = load atomic i32, ptr %data monotonic, align 4
; RUN: %{count}=ONE
; REDEFINE: %{lines} = %m = alloca i32\nstore volatile i32 0, ptr %m
; RUN: %{count}=ONE

; Of work-groups as many as whole vectors of them fill a row: 256 work-items are two vectors of 128, 96 three of 32; others are not known.
; REDEFINE: %{lines} =
; REDEFINE: %{change} = "falx-kind"="1"/"falx-kind"="2" "falx-local-range"="256,1,1"/
; RUN: %{count}=EIGHT
; REDEFINE: %{change} = "falx-kind"="1"/"falx-kind"="2" "falx-local-range"="96,2,1"/
; RUN: %{count}=TWO
; REDEFINE: %{change} = "falx-kind"="1"/"falx-kind"="2" "falx-local-range"="48,4,1"/
; RUN: %{count}=ONE
; REDEFINE: %{change} = "falx-kind"="1"/"falx-kind"="2"/
; RUN: %{count}=ONE

; Sub-groups of work-groups that know of each other: functions of sub-groups, and the fences that these leave.
; REDEFINE: %{change} = "falx-kind"="1"/"falx-kind"="2" "falx-local-range"="256,1,1"/
; REDEFINE: %{lines} = fence syncscope("singlethread") seq_cst
; RUN: %{count}=ONE
; REDEFINE: %{lines} = call i1 @__falx_sub_group_any(i1 true)
; RUN: %{count}=ONE

; What does not fill the vector goes one sub-group at a time.
; RUN: sed -e '/^PHIS$/d;/^LINES$/d;s/WIDTH/16/' %s | falx-opt --passes=falx-lower-builtins,falx-interleave,falx-vectorize-range,falx-kernel-function --mcpu=znver5 -S - | FileCheck %s --check-prefix=REST
; REST: fadd <128 x float>
; REST: udiv i64 %size, 128
; REST: rest.x:
; REST: call void @kernel.work_item.rest.lanes({{.*}}, <16 x i1> %active)

target triple = "x86_64-unknown-linux-gnu"

declare i64 @__falx_global_id_x()
declare i1 @__falx_sub_group_any(i1)
declare void @elsewhere()
declare float @llvm.sin.f32(float)

define void @kernel(ptr %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="WIDTH" "falx-vector-math"="avx512f" {
entry:
  %id = call i64 @__falx_global_id_x()
  %own = trunc i64 %id to i32
  %data = load ptr, ptr %f, !invariant.load !0
  %degree.at = getelementptr i8, ptr %f, i64 8
  %degree = load i32, ptr %degree.at, !invariant.load !0
  %uniform = load float, ptr %data
  %at = getelementptr float, ptr %data, i64 %id
  %first = load float, ptr %at
  br label %loop
loop:
  %n = phi i32 [ 0, %entry ], [ %n.next, %loop ]
  %x = phi float [ %first, %entry ], [ %x.next, %loop ]
PHIS
LINES
  %x.next = fadd float %x, %uniform
  %n.next = add i32 %n, 1
  %done = icmp eq i32 %n.next, %degree
  br i1 %done, label %end, label %loop
end:
  %result = phi float [ %x.next, %loop ]
  store float %result, ptr %at
  ret void
}

!0 = !{}
