; Functions of some of a warp's threads, which name them.
; RUN: falx-opt --passes=falx-define-builtins-ptx,falx-choose-inlining,always-inline,falx-ptx-builtins -S %s | FileCheck %s --check-prefixes=CHECK,NEW
; RUN: sed 's/"falx-sm"="90"/"falx-sm"="75"/' %s | falx-opt --passes=falx-define-builtins-ptx,falx-choose-inlining,always-inline,falx-ptx-builtins -S | FileCheck %s --check-prefixes=CHECK,OLD

target triple = "nvptx64-nvidia-cuda"
declare i32 @__falx_sub_group_local_id()
declare i64 @__falx_sub_group_active() convergent
declare i64 @__falx_sub_group_members_ballot(i1, i64) convergent
declare void @__falx_sub_group_members_barrier(i64) convergent
declare i32 @__falx_sub_group_members_shuffle_u32(i32, i32, i64) convergent
declare i64 @__falx_sub_group_members_shuffle_u64(i64, i32, i64) convergent
declare i32 @__falx_sub_group_members_reduce_max_s32(i32, i64) convergent
declare i1 @__falx_sub_group_reduces_members()
declare i1 @__falx_sub_group_in_step()

; CHECK-LABEL: define {{.*}}void @kernel(
; CHECK: call void asm sideeffect "", "~{memory}"()
; CHECK: %[[ACTIVE:.*]] = call i32 @llvm.nvvm.activemask()
; CHECK: %[[MEMBERS:.*]] = zext i32 %[[ACTIVE]] to i64
; CHECK: call i32 @llvm.nvvm.vote.ballot.sync(i32 %[[ACTIVE]], i1 %large)
; CHECK: %[[MASK:.*]] = trunc i64 %[[MEMBERS]] to i32
; CHECK: call void @llvm.nvvm.bar.warp.sync(i32 %[[MASK]])
; CHECK: call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 %{{.*}}, i32 %x, i32 %lane, i32 31)
; CHECK: call i32 @llvm.nvvm.shfl.sync.idx.i32(
; CHECK: call i32 @llvm.nvvm.shfl.sync.idx.i32(
; NEW: %[[MOST:.*]] = call i32 @llvm.nvvm.redux.sync.max(i32 %x, i32 %[[ACTIVE]])
; NEW: select i1 true, i32 %[[MOST]]
; OLD-NOT: redux
; OLD: select i1 false
; CHECK: store i1 false
define void @kernel(ptr %f, ptr %launch) "falx-kind"="2" "falx-dimensions"="1" "falx-sm"="90" "falx-entry"="kernel" {
  %data = load ptr, ptr %f
  %x = load i32, ptr %data
  %members = call i64 @__falx_sub_group_active()
  %large = icmp ugt i32 %x, 100
  %ballot = call i64 @__falx_sub_group_members_ballot(i1 %large, i64 %members)
  call void @__falx_sub_group_members_barrier(i64 %members)
  %lane = trunc i64 %ballot to i32
  %other = call i32 @__falx_sub_group_members_shuffle_u32(i32 %x, i32 %lane, i64 %members)
  %wide = call i64 @__falx_sub_group_members_shuffle_u64(i64 %ballot, i32 %other, i64 %members)
  store i64 %wide, ptr %data
  %most = call i32 @__falx_sub_group_members_reduce_max_s32(i32 %x, i64 %members)
  %has = call i1 @__falx_sub_group_reduces_members()
  %result = select i1 %has, i32 %most, i32 0
  store i32 %result, ptr %data
  %in_step = call i1 @__falx_sub_group_in_step()
  store i1 %in_step, ptr %data
  ret void
}
