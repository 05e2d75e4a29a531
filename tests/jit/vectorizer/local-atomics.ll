; Counters in local memory: with all lanes active one addition after the other, each with an address made of its lane's
; byte; else a loop over those that are.
; RUN: falx-opt --passes=falx-lower-builtins,falx-vectorize -S %s | FileCheck %s

declare i64 @__falx_global_id_x()
declare ptr @__falx_local_memory()

; CHECK-LABEL: define internal void @kernel.work_item.lanes(
; CHECK: %[[BITS:.*]] = bitcast <4 x i1> %active to i4
; CHECK: %[[ALL:.*]] = icmp eq i4 %[[BITS]], -1
; CHECK: br i1 %[[ALL]], label %every.lane, label %some.lanes
; CHECK: every.lane:
; CHECK: %[[BYTE:.*]] = extractelement <4 x i8> %byte, i64 0
; CHECK: %[[INDEX:.*]] = zext i8 %[[BYTE]] to i64
; CHECK: %[[AT:.*]] = getelementptr i32, ptr %local.memory, i64 %[[INDEX]]
; CHECK: atomicrmw add ptr %[[AT]], i32 1 syncscope("singlethread") monotonic, align 4
; CHECK: extractelement <4 x i8> %byte, i64 3
; CHECK: atomicrmw add
; CHECK: br label %behind
; CHECK: some.lanes:
; CHECK: br label %lane
; CHECK: behind:
; CHECK: lane:
; CHECK: atomicrmw add ptr %{{.*}} syncscope("singlethread")
; CHECK: br label %behind
; Progressions need no vector.
; CHECK: every.lane{{[0-9]+}}:
; CHECK: getelementptr i8, ptr %mine, i64 12
; CHECK: %[[VALUE:.*]] = extractelement <4 x i32> %square, i64 3
; CHECK: atomicrmw umax ptr %{{.*}}, i32 %[[VALUE]]
; More than four, what is asked for, or in global memory, goes lane by lane as before. Only what is asked for is kept.
; CHECK: every.lane{{[0-9]+}}:
; CHECK: every.lane{{[0-9]+}}:
; CHECK: some.lanes
; CHECK-NOT: every.lane{{.*}}:
; CHECK: atomicrmw umin ptr %{{.*}}
; CHECK-NOT: store
; CHECK: br i1
; CHECK: store i32 %{{.*}}, ptr %{{.*}}
; CHECK: atomicrmw add ptr %{{.*}} seq_cst
define void @kernel(ptr %f) "falx-kind"="2" "falx-dimensions"="1" "falx-sub-group-size"="4" {
  %id = call i64 @__falx_global_id_x()
  %data = load ptr, ptr %f
  %local = call ptr @__falx_local_memory()
  %from = getelementptr i8, ptr %data, i64 %id
  %byte = load i8, ptr %from
  %index = zext i8 %byte to i64
  %at = getelementptr i32, ptr %local, i64 %index
  %ignored = atomicrmw add ptr %at, i32 1 monotonic, align 4
  %mine = getelementptr i32, ptr %local, i64 %id
  %wide = zext i8 %byte to i32
  %square = mul i32 %wide, %wide
  %also.ignored = atomicrmw umax ptr %mine, i32 %square monotonic, align 4
  %third = atomicrmw or ptr %mine, i32 1 monotonic, align 4
  %fourth = atomicrmw and ptr %mine, i32 1 monotonic, align 4
  %ignored.as.well = atomicrmw umin ptr %mine, i32 %square monotonic, align 4
  %before = atomicrmw add ptr %at, i32 1 monotonic, align 4
  %in.global = getelementptr i32, ptr %data, i64 %index
  %old = atomicrmw add ptr %in.global, i32 %before seq_cst, align 4
  ret void
}
