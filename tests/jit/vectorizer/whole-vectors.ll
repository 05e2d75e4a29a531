; Loops that lanes leave in order: a copy without masks comes first, as long as all lanes stay.
; RUN: falx-opt --passes=falx-lower-builtins,falx-vectorize -S %s | FileCheck %s
; RUN: falx-opt -mtriple=x86_64 -mcpu=haswell -S %s \
; RUN:   --passes='falx-lower-builtins,falx-vectorize-range,falx-kernel-function,always-inline,default<O2>' | FileCheck %s --check-prefix=SHORT

declare i64 @__falx_global_id_x()

; CHECK-LABEL: define internal void @kernel.work_item.lanes(
; CHECK: %[[BITS:.*]] = bitcast <4 x i1> %active to i4
; CHECK: %[[ALL:.*]] = icmp eq i4 %[[BITS]], -1
; CHECK: br i1 %[[ALL]], label %up.whole, label %up

; for (i = id; i < count; i += 16) sum += data[rows[i]], of 32 bits: they may wrap.
; CHECK: up:
; CHECK: %i = phi i32 [ %lane, %entry{{.*}} ], [ %next, %next.iteration ], [ %i.whole, %up.some.leave ]
; CHECK: %up.live = phi <4 x i1> [ %active, %entry{{.*}} ], [ %{{.*}}, %next.iteration ], [ splat (i1 true), %up.some.leave ]

; for (j = 1000 - id; j > count; j -= 8): the last lane is the nearest to the end.
; CHECK: br i1 %{{.*}}, label %down.whole, label %down

; No copy of the loop without memory of each lane's own, nor where data decides.
; CHECK: numbers:
; CHECK-NOT: splat (i1 true), %
; CHECK: exit:

; CHECK: up.whole:
; CHECK: %[[LAST:.*]] = add i32 %i.whole, 3
; CHECK: %[[BELOW:.*]] = icmp ult i32 %[[LAST]], %count
; CHECK: %[[EXACT:.*]] = icmp ule i32 %i.whole, -4
; CHECK: %[[STAY:.*]] = and i1 %[[EXACT]], %[[BELOW]]
; CHECK: br i1 %[[STAY]], label %up.whole.split, label %up.some.leave, !prof
; CHECK: call <4 x i32> @llvm.masked.load.v4i32.p0(ptr {{.*}}, <4 x i1> splat (i1 true)
; CHECK: call <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr> {{.*}}, <4 x i1> splat (i1 true)
; CHECK: up.some.leave:
; CHECK-NEXT: br label %up
; CHECK: down.whole:
; CHECK: %[[LEAST:.*]] = add i64 %j.whole, -3
; CHECK: icmp sgt i64 %[[LEAST]], %limit
; CHECK: icmp sge i64 %j.whole, -9223372036854775805
; Lanes' numbers of 32 bits that are 2000000011 apart: one always wraps, and may be below where the last is not.
; CHECK-NOT: {{numbers|list|far}}.whole

; Nothing of masks is left in the copies.
; SHORT: br i1 %{{.*}}, label %up.whole.split.i, label %up.i.preheader, !prof
; SHORT: up.whole.split.i:
; SHORT-NOT: masked.load
; SHORT: %[[ROWS:.*]] = load <4 x i32>, ptr
; SHORT: %[[WIDE:.*]] = zext <4 x i32> %[[ROWS]] to <4 x i64>
; SHORT: %[[FROM:.*]] = getelementptr i32, ptr %{{.*}}, <4 x i64> %[[WIDE]]
; SHORT: call <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr> align 4 %[[FROM]], <4 x i1> splat (i1 true)
; SHORT: br i1 %{{.*}}, label %up.whole.split.i, label %up.i.preheader, !prof
; SHORT: down.whole.split.i:
; SHORT: store <4 x i32> splat (i32 7), ptr
; SHORT: br i1 %{{.*}}, label %down.whole.split.i, label %down.i.preheader, !prof
define void @kernel(ptr %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="4" {
entry:
  %id = call i64 @__falx_global_id_x()
  %lane = trunc i64 %id to i32
  %data = load ptr, ptr %f
  %second = getelementptr ptr, ptr %f, i64 1
  %rows = load ptr, ptr %second
  %count = load i32, ptr %data
  %limit = load i64, ptr %data
  br label %up
up:
  %i = phi i32 [ %lane, %entry ], [ %next, %up.body ]
  %sum = phi i32 [ 0, %entry ], [ %more, %up.body ]
  %stays = icmp ult i32 %i, %count
  br i1 %stays, label %up.body, label %between
up.body:
  %wide = zext i32 %i to i64
  %at = getelementptr i32, ptr %rows, i64 %wide
  %row = load i32, ptr %at
  %row.wide = zext i32 %row to i64
  %from = getelementptr i32, ptr %data, i64 %row.wide
  %x = load i32, ptr %from
  %more = add i32 %sum, %x
  %next = add i32 %i, 16
  br label %up
between:
  %to = getelementptr i32, ptr %data, i64 %id
  store i32 %sum, ptr %to
  %begin = sub i64 1000, %id
  br label %down
down:
  %j = phi i64 [ %begin, %between ], [ %j.next, %down.body ]
  %done = icmp sle i64 %j, %limit
  br i1 %done, label %third, label %down.body
down.body:
  %j.to = getelementptr i32, ptr %data, i64 %j
  store i32 7, ptr %j.to
  %j.next = add i64 %j, -8
  br label %down
third:
  br label %numbers
numbers:
  %k = phi i64 [ %id, %third ], [ %k.next, %numbers.body ]
  %bits = phi i64 [ 0, %third ], [ %bits.next, %numbers.body ]
  %k.stays = icmp ult i64 %k, %limit
  br i1 %k.stays, label %numbers.body, label %fourth
numbers.body:
  %bits.next = xor i64 %bits, %k
  %k.next = add i64 %k, 16
  br label %numbers
fourth:
  br label %list
list:
  %l = phi i64 [ %bits, %fourth ], [ %l.next, %list.body ]
  %l.stays = icmp slt i64 %l, 100
  br i1 %l.stays, label %list.body, label %fifth
list.body:
  %l.at = getelementptr i64, ptr %data, i64 %l
  %l.next = load i64, ptr %l.at
  br label %list
fifth:
  %far.begin = mul i32 %lane, 2000000011
  br label %far
far:
  %m = phi i32 [ %far.begin, %fifth ], [ %m.next, %far.body ]
  %m.stays = icmp ult i32 %m, %count
  br i1 %m.stays, label %far.body, label %exit
far.body:
  %m.wide = zext i32 %m to i64
  %m.at = getelementptr i32, ptr %data, i64 %m.wide
  store i32 9, ptr %m.at
  %m.next = add i32 %m, 16
  br label %far
exit:
  ret void
}
