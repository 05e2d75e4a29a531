; Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; What cpu_builtins.c cannot say. Functions named falx.* are for passes: barriers/async_barriers.cpp.

; SYCL 2020 §4.17.5: the error of rsqrt in units in the last place.
define float @__falx_rsqrt_f32(float %x) alwaysinline {
  %root = call float @llvm.sqrt.f32(float %x)
  %result = fdiv float 1.0, %root, !fpmath !0
  ret float %result
}
!0 = !{float 2.0}
define double @__falx_rsqrt_f64(double %x) alwaysinline {
  %root = call double @llvm.sqrt.f64(double %x)
  %result = fdiv double 1.0, %root
  ret double %result
}

; Asynchronous barriers. A thread runs all work-items of a group, so a barrier's state is plain memory. Its 64 bits,
; lowest first: 20 of pending arrivals, 20 of those that the next cycle expects, 12 of the cycle's number, and 12 of the
; last node in the list of those that wait. A token is the state before the arrival: what counts is the cycle, which
; with 12 bits is never mistaken for the current or the previous one.
;
; A node is lanes of one sub-group that wait together; it has the number of one of them. Work-items and sub-groups are
; numbered from 1; a list is a cycle of links whose last member is known, 0 if it is empty. %shift: a sub-group has 1 <<
; %shift work-items. %ready: the last of the sub-groups that have lanes that can run.
;
; The functions of builtins are inlined before there are vectors. Those whose names have a dot are left until then, as no
; pass may look from one lane into what others do there; vector_async_barriers.cpp calls them once for all lanes if it can.
%falx.lanes = type { i64, i32, i32 } ; which, the next member of the list, and what is the scheduler's
define void @falx.async_barrier_initialize(ptr %state, i32 %count, ptr %nodes, ptr %sub_groups, ptr %ready, i32 %self, i32 %shift) {
  %pending = zext i32 %count to i64
  %expected = shl i64 %pending, 20
  %new = or i64 %pending, %expected
  store i64 %new, ptr %state, align 8
  ret void
}
define void @falx.async_barrier_invalidate(ptr %state, ptr %nodes, ptr %sub_groups, ptr %ready, i32 %self, i32 %shift) {
  store i64 0, ptr %state, align 8
  ret void
}
define i64 @falx.async_barrier_arrive(ptr %state, ptr %nodes, ptr %sub_groups, ptr %ready, i32 %self, i32 %shift) {
  %token = call i64 @falx.async_barrier.count(ptr %state, i64 1, i64 0, ptr %nodes, ptr %sub_groups, ptr %ready, i32 %shift)
  ret i64 %token
}
define i64 @falx.async_barrier_arrive_and_drop(ptr %state, ptr %nodes, ptr %sub_groups, ptr %ready, i32 %self, i32 %shift) {
  %token = call i64 @falx.async_barrier.count(ptr %state, i64 1, i64 1, ptr %nodes, ptr %sub_groups, ptr %ready, i32 %shift)
  ret i64 %token
}
define i64 @falx.async_barrier_arrive_no_complete(ptr %state, i32 %count, ptr %nodes, ptr %sub_groups, ptr %ready, i32 %self, i32 %shift) {
  %arrivals = zext i32 %count to i64
  %token = call i64 @falx.async_barrier.count(ptr %state, i64 %arrivals, i64 0, ptr %nodes, ptr %sub_groups, ptr %ready, i32 %shift)
  ret i64 %token
}
define i64 @falx.async_barrier_arrive_and_drop_no_complete(ptr %state, i32 %count, ptr %nodes, ptr %sub_groups, ptr %ready, i32 %self, i32 %shift) {
  %arrivals = zext i32 %count to i64
  %token = call i64 @falx.async_barrier.count(ptr %state, i64 %arrivals, i64 %arrivals, ptr %nodes, ptr %sub_groups, ptr %ready, i32 %shift)
  ret i64 %token
}
; The arrival that it adds is made at once: copies of a work-item are complete when the next instruction runs.
define void @falx.async_barrier_arrive_after_copies(ptr %state, ptr %nodes, ptr %sub_groups, ptr %ready, i32 %self, i32 %shift) {
  ret void
}
define void @falx.async_barrier_arrive_after_copies_no_inc(ptr %state, ptr %nodes, ptr %sub_groups, ptr %ready, i32 %self, i32 %shift) {
  %token = call i64 @falx.async_barrier.count(ptr %state, i64 1, i64 0, ptr %nodes, ptr %sub_groups, ptr %ready, i32 %shift)
  ret void
}
define void @falx.async_barrier_wait(ptr %state, i64 %token, ptr %nodes, ptr %sub_groups, ptr %ready, i32 %self, i32 %shift) {
  %index = sub i32 %self, 1
  %size = shl i32 1, %shift
  %last.lane = sub i32 %size, 1
  %lane = and i32 %index, %last.lane
  %lane.wide = zext i32 %lane to i64
  %lane.bit = shl i64 1, %lane.wide
  %over = call i1 @falx.async_barrier.enter(ptr %state, i64 %token, ptr %nodes, i32 %self, i64 %lane.bit)
  br i1 %over, label %done, label %waits
waits:
  call void @falx.suspend.wait()
  br label %done
done:
  ret void
}
; If it fails it lets the others run, once: a program that polls until it succeeds would otherwise never end.
define i1 @falx.async_barrier_test(ptr %state, i64 %token, ptr %nodes, ptr %sub_groups, ptr %ready, i32 %self, i32 %shift) {
  %over = call i1 @falx.async_barrier_is_over(ptr %state, i64 %token)
  br i1 %over, label %complete, label %again
complete:
  ret i1 true
again:
  call void @falx.suspend.yield()
  %over.later = call i1 @falx.async_barrier_is_over(ptr %state, i64 %token)
  ret i1 %over.later
}
declare void @falx.suspend.wait()
declare void @falx.suspend.yield()

; Other lanes may have written what is read behind it: fences for what comes before vectors (lower_builtins.cpp).
define i1 @falx.async_barrier_is_over(ptr %state, i64 %token) alwaysinline nounwind {
  fence syncscope("singlethread") seq_cst
  %now = load i64, ptr %state, align 8
  fence syncscope("singlethread") seq_cst
  %difference = xor i64 %now, %token
  %cycles = and i64 %difference, u0x000FFF0000000000
  %over = icmp ne i64 %cycles, 0
  ret i1 %over
}
; One step, as lanes of a vector that go on may come by again before those that wait get to another block.
define i1 @falx.async_barrier.enter(ptr %state, i64 %token, ptr %nodes, i32 %self, i64 %lanes) nounwind {
  %over = call i1 @falx.async_barrier_is_over(ptr %state, i64 %token)
  br i1 %over, label %done, label %waits
waits:
  call void @falx.async_barrier.enlist(ptr %state, ptr %nodes, i32 %self, i64 %lanes)
  br label %done
done:
  ret i1 %over
}
; %lanes, of which %self is one if there are any, become the last of those that wait.
define void @falx.async_barrier.enlist(ptr %state, ptr %nodes, i32 %self, i64 %lanes) nounwind {
  %none = icmp eq i64 %lanes, 0
  br i1 %none, label %done, label %some
some:
  %before = load i64, ptr %state, align 8
  %last.field = lshr i64 %before, 52
  %last = trunc i64 %last.field to i32
  %mine = getelementptr %falx.lanes, ptr %nodes, i32 %self
  store i64 %lanes, ptr %mine, align 8
  call void @falx.list.append(ptr %nodes, i32 %last, i32 %self)
  %rest = and i64 %before, u0x000FFFFFFFFFFFFF
  %self.wide = zext i32 %self to i64
  %self.field = shl i64 %self.wide, 52
  %after = or i64 %rest, %self.field
  store i64 %after, ptr %state, align 8
  br label %done
done:
  ret void
}
; The arrival that completes a cycle lets those that wait run, node by node. With sub-groups of one work-item the nodes are
; the sub-groups, each of which is in one list at most, and the list goes behind those that can run as it is.
define i64 @falx.async_barrier.count(ptr %state, i64 %arrivals, i64 %dropped, ptr %nodes, ptr %sub_groups, ptr %ready, i32 %shift) nounwind {
  %before = load i64, ptr %state, align 8
  %pending.field = and i64 %before, u0xFFFFF
  %pending = sub i64 %pending.field, %arrivals
  %expected.field = and i64 %before, u0xFFFFF00000
  %dropped.field = shl i64 %dropped, 20
  %expected = sub i64 %expected.field, %dropped.field
  %completes = icmp eq i64 %pending, 0
  br i1 %completes, label %completion, label %goes.on
goes.on:
  %rest = and i64 %before, u0xFFFFFF0000000000
  %counted = or i64 %rest, %pending
  %after = or i64 %counted, %expected
  store i64 %after, ptr %state, align 8
  ret i64 %before
completion:
  %pending.next = lshr i64 %expected, 20
  %stepped = add i64 %before, u0x0000010000000000
  %cycle = and i64 %stepped, u0x000FFF0000000000
  %started = or i64 %expected, %pending.next
  %next = or i64 %started, %cycle
  store i64 %next, ptr %state, align 8
  %last.field = lshr i64 %before, 52
  %last = trunc i64 %last.field to i32
  %none = icmp eq i32 %last, 0
  br i1 %none, label %done, label %some
some:
  %is.single = icmp eq i32 %shift, 0
  br i1 %is.single, label %joins, label %wakes
joins:
  %ready.last = load i32, ptr %ready, align 4
  store i32 %last, ptr %ready, align 4
  call void @falx.list.join(ptr %sub_groups, i32 %ready.last, i32 %last)
  br label %done
wakes:
  %from = phi i32 [ %last, %some ], [ %woken, %wakes ]
  %link = getelementptr %falx.lanes, ptr %nodes, i32 %from, i32 1
  %woken = load i32, ptr %link, align 8
  %node = getelementptr %falx.lanes, ptr %nodes, i32 %woken
  %lanes = load i64, ptr %node, align 8
  %index = sub i32 %woken, 1
  %sub.group.index = lshr i32 %index, %shift
  %sub.group = add i32 %sub.group.index, 1
  call void @falx.schedule(ptr %sub_groups, ptr %ready, i32 %sub.group, i64 %lanes)
  %all = icmp eq i32 %woken, %last
  br i1 %all, label %done, label %wakes
done:
  ret i64 %before
}
; %lanes of a sub-group can run.
define void @falx.schedule(ptr %sub_groups, ptr %ready, i32 %sub_group, i64 %lanes) nounwind {
  %mine = getelementptr %falx.lanes, ptr %sub_groups, i32 %sub_group
  %before = load i64, ptr %mine, align 8
  %after = or i64 %before, %lanes
  store i64 %after, ptr %mine, align 8
  %is.listed = icmp ne i64 %before, 0
  %is.none = icmp eq i64 %after, 0
  %stays = or i1 %is.listed, %is.none
  br i1 %stays, label %done, label %joins
joins:
  %last = load i32, ptr %ready, align 4
  call void @falx.list.append(ptr %sub_groups, i32 %last, i32 %sub_group)
  store i32 %sub_group, ptr %ready, align 4
  br label %done
done:
  ret void
}
; The same for a sub-group of one work-item, which is in no list.
define void @falx.schedule.single(ptr %sub_groups, ptr %ready, i32 %sub_group, i64 %lanes) nounwind {
  %is.none = icmp eq i64 %lanes, 0
  br i1 %is.none, label %done, label %joins
joins:
  %last = load i32, ptr %ready, align 4
  call void @falx.list.append(ptr %sub_groups, i32 %last, i32 %sub_group)
  store i32 %sub_group, ptr %ready, align 4
  br label %done
done:
  ret void
}
; Two cycles, of which %last is the last of one and %before that of the other, or 0 if that is empty, become one when the
; successors of their last members change places.
define void @falx.list.join(ptr %members, i32 %before, i32 %last) nounwind {
  %is.first = icmp eq i32 %before, 0
  %end = select i1 %is.first, i32 %last, i32 %before
  %end.link = getelementptr %falx.lanes, ptr %members, i32 %end, i32 1
  %last.link = getelementptr %falx.lanes, ptr %members, i32 %last, i32 1
  %behind.end = load i32, ptr %end.link, align 8
  %behind.last = load i32, ptr %last.link, align 8
  store i32 %behind.last, ptr %end.link, align 8
  store i32 %behind.end, ptr %last.link, align 8
  ret void
}
; Puts %member behind %last, which is 0 if the list is empty.
define void @falx.list.append(ptr %members, i32 %last, i32 %member) nounwind {
  %is.first = icmp eq i32 %last, 0
  %before = select i1 %is.first, i32 %member, i32 %last
  %mine = getelementptr %falx.lanes, ptr %members, i32 %member, i32 1
  store i32 %member, ptr %mine, align 8
  %link = getelementptr %falx.lanes, ptr %members, i32 %before, i32 1
  %first = load i32, ptr %link, align 8
  store i32 %first, ptr %mine, align 8
  store i32 %member, ptr %link, align 8
  ret void
}
