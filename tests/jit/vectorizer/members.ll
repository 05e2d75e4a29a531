; Functions of some of a sub-group's work-items where lanes have parted: shuffles of whole vectors, and masks of the lanes
; that are there.
; RUN: falx-opt -mtriple=x86_64 -mcpu=icelake-server --passes=falx-lower-builtins,falx-vectorize -S %s | FileCheck %s
; RUN: sed 's/"falx-sub-group-size"="8"//' %s | falx-opt --passes=falx-lower-builtins -S | FileCheck %s --check-prefix=ONE

declare i64 @__falx_local_id_x()
declare i32 @__falx_sub_group_local_id()
declare i64 @__falx_sub_group_active() convergent
declare i64 @__falx_sub_group_members_ballot(i1, i64) convergent
declare void @__falx_sub_group_members_barrier(i64) convergent
declare i32 @__falx_sub_group_members_shuffle_u32(i32, i32, i64) convergent

; CHECK-LABEL: define internal void @kernel.work_item.lanes(
; CHECK: %x = call <8 x i32> @llvm.masked.load
; CHECK: %odd = trunc <8 x i32> %x to <8 x i1>
; CHECK: %[[HERE:.*]] = select <8 x i1> %active, <8 x i1> %odd, <8 x i1> zeroinitializer
; CHECK: some:
; CHECK: %[[BITS:.*]] = bitcast <8 x i1> %[[HERE]] to i8
; CHECK: %[[MEMBERS:.*]] = zext i8 %[[BITS]] to i64
; CHECK: %[[LARGE:.*]] = select <8 x i1> %[[HERE]], <8 x i1> %large, <8 x i1> zeroinitializer
; CHECK: %[[LARGE_BITS:.*]] = bitcast <8 x i1> %[[LARGE]] to i8
; CHECK: %[[BALLOT:.*]] = zext i8 %[[LARGE_BITS]] to i64
; CHECK: extractelement <8 x i32> %x,
; CHECK: call void @llvm.masked.store.v8i32.p0(<8 x i32> %{{.*}}, ptr align 4 %at, <8 x i1> %[[HERE]])
; CHECK: add i64 %[[BALLOT]], %[[MEMBERS]]
; CHECK-NOT: members_

; ONE-LABEL: define internal void @kernel.work_item(
; ONE: %[[LARGE:.*]] = icmp ne i1 %large, false
; ONE: %[[BALLOT:.*]] = zext i1 %[[LARGE]] to i64
; ONE: store i32 %x, ptr %at
; ONE: add i64 %[[BALLOT]], 1
define void @kernel(ptr %f) "falx-kind"="2" "falx-dimensions"="1" "falx-sub-group-size"="8" {
entry:
  %id = call i64 @__falx_local_id_x()
  %data = load ptr, ptr %f
  %at = getelementptr i32, ptr %data, i64 %id
  %x = load i32, ptr %at
  %odd = trunc i32 %x to i1
  br i1 %odd, label %some, label %end
some:
  %members = call i64 @__falx_sub_group_active()
  %large = icmp ugt i32 %x, 100
  %ballot = call i64 @__falx_sub_group_members_ballot(i1 %large, i64 %members)
  call void @__falx_sub_group_members_barrier(i64 %members)
  %lane = call i32 @__falx_sub_group_local_id()
  %neighbour = xor i32 %lane, 1
  %other = call i32 @__falx_sub_group_members_shuffle_u32(i32 %x, i32 %neighbour, i64 %members)
  store i32 %other, ptr %at
  %counts = getelementptr i64, ptr %data, i64 1000
  %both = add i64 %ballot, %members
  store i64 %both, ptr %counts
  br label %end
end:
  ret void
}
