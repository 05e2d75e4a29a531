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
; last work-item in the list of those that wait. A token is the state before the arrival: what counts is the cycle, which
; with 12 bits is never mistaken for the current or the previous one. Work-items are numbered from 1; a list is a cycle
; of links whose last work-item is known, 0 if it is empty. %ready: the last of those that can run.
define void @falx.async_barrier_initialize(ptr %state, i32 %count, ptr %links, ptr %ready, i32 %self) {
  %pending = zext i32 %count to i64
  %expected = shl i64 %pending, 20
  %new = or i64 %pending, %expected
  store i64 %new, ptr %state, align 8
  ret void
}
define void @falx.async_barrier_invalidate(ptr %state, ptr %links, ptr %ready, i32 %self) {
  store i64 0, ptr %state, align 8
  ret void
}
define i64 @falx.async_barrier_arrive(ptr %state, ptr %links, ptr %ready, i32 %self) {
  %token = call i64 @falx.async_barrier.count(ptr %state, i64 1, i64 0, ptr %links, ptr %ready)
  ret i64 %token
}
define i64 @falx.async_barrier_arrive_and_drop(ptr %state, ptr %links, ptr %ready, i32 %self) {
  %token = call i64 @falx.async_barrier.count(ptr %state, i64 1, i64 1, ptr %links, ptr %ready)
  ret i64 %token
}
define i64 @falx.async_barrier_arrive_no_complete(ptr %state, i32 %count, ptr %links, ptr %ready, i32 %self) {
  %arrivals = zext i32 %count to i64
  %token = call i64 @falx.async_barrier.count(ptr %state, i64 %arrivals, i64 0, ptr %links, ptr %ready)
  ret i64 %token
}
define i64 @falx.async_barrier_arrive_and_drop_no_complete(ptr %state, i32 %count, ptr %links, ptr %ready, i32 %self) {
  %arrivals = zext i32 %count to i64
  %token = call i64 @falx.async_barrier.count(ptr %state, i64 %arrivals, i64 %arrivals, ptr %links, ptr %ready)
  ret i64 %token
}
; The arrival that it adds is made at once: copies of a work-item are complete when the next instruction runs.
define void @falx.async_barrier_arrive_after_copies(ptr %state, ptr %links, ptr %ready, i32 %self) {
  ret void
}
define void @falx.async_barrier_arrive_after_copies_no_inc(ptr %state, ptr %links, ptr %ready, i32 %self) {
  %token = call i64 @falx.async_barrier.count(ptr %state, i64 1, i64 0, ptr %links, ptr %ready)
  ret void
}
define void @falx.async_barrier_wait(ptr %state, i64 %token, ptr %links, ptr %ready, i32 %self) {
  %over = call i1 @falx.async_barrier.is_over(ptr %state, i64 %token)
  br i1 %over, label %done, label %waits
waits:
  %before = load i64, ptr %state, align 8
  %last.field = lshr i64 %before, 52
  %last = trunc i64 %last.field to i32
  %from.1 = getelementptr i8, ptr %links, i64 -4
  %mine = getelementptr i32, ptr %from.1, i32 %self
  store i32 %self, ptr %mine
  call void @falx.list.join(i32 %last, i32 %self, ptr %links)
  %rest = and i64 %before, u0x000FFFFFFFFFFFFF
  %self.wide = zext i32 %self to i64
  %self.field = shl i64 %self.wide, 52
  %after = or i64 %rest, %self.field
  store i64 %after, ptr %state, align 8
  call void @falx.suspend.wait()
  br label %done
done:
  ret void
}
; If it fails it lets the others run, once: a program that polls until it succeeds would otherwise never end.
define i1 @falx.async_barrier_test(ptr %state, i64 %token, ptr %links, ptr %ready, i32 %self) {
  %over = call i1 @falx.async_barrier.is_over(ptr %state, i64 %token)
  br i1 %over, label %complete, label %again
complete:
  ret i1 true
again:
  call void @falx.suspend.yield()
  %over.later = call i1 @falx.async_barrier.is_over(ptr %state, i64 %token)
  ret i1 %over.later
}
declare void @falx.suspend.wait()
declare void @falx.suspend.yield()

define i1 @falx.async_barrier.is_over(ptr %state, i64 %token) nounwind {
  %now = load i64, ptr %state, align 8
  %difference = xor i64 %now, %token
  %cycles = and i64 %difference, u0x000FFF0000000000
  %over = icmp ne i64 %cycles, 0
  ret i1 %over
}
; The arrival that completes a cycle puts the list behind those that can run, so waking costs the same for one work-item
; and for all.
define i64 @falx.async_barrier.count(ptr %state, i64 %arrivals, i64 %dropped, ptr %links, ptr %ready) nounwind {
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
  %woken = trunc i64 %last.field to i32
  %none = icmp eq i32 %woken, 0
  br i1 %none, label %done, label %wakes
wakes:
  %ready.before = load i32, ptr %ready
  store i32 %woken, ptr %ready
  call void @falx.list.join(i32 %ready.before, i32 %woken, ptr %links)
  br label %done
done:
  ret i64 %before
}
; Two cycles become one when the successors of their last members change places.
define void @falx.list.join(i32 %list, i32 %last, ptr %links) nounwind {
  %empty = icmp eq i32 %list, 0
  br i1 %empty, label %done, label %both
both:
  %from.1 = getelementptr i8, ptr %links, i64 -4
  %end.of.list = getelementptr i32, ptr %from.1, i32 %list
  %end = getelementptr i32, ptr %from.1, i32 %last
  %first.of.list = load i32, ptr %end.of.list
  %first = load i32, ptr %end
  store i32 %first, ptr %end.of.list
  store i32 %first.of.list, ptr %end
  br label %done
done:
  ret void
}
