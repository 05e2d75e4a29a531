; One operation for all lanes where they meet at one object; local memory has one thread.
; RUN: falx-opt --passes=falx-lower-builtins,falx-vectorize -S %s | FileCheck %s
; RUN: falx-opt --passes=falx-lower-builtins,falx-split-barriers,falx-kernel-function -S %s | FileCheck --check-prefix=PLAIN %s

declare i64 @__falx_global_id_x()
declare ptr @__falx_local_memory()

; CHECK-LABEL: define internal void @kernel.work_item.lanes(
; The result is used: sums of the lanes before.
; CHECK: %[[MINE:.*]] = select <4 x i1> %active, <4 x i32> %x, <4 x i32> zeroinitializer
; CHECK: %[[SUM:.*]] = call i32 @llvm.vector.reduce.add.v4i32
; CHECK: %[[FIRST:.*]] = atomicrmw add ptr %data, i32 %[[SUM]] syncscope("x") acq_rel, align 4
; CHECK: shufflevector <4 x i32> %[[MINE]], <4 x i32> zeroinitializer, <4 x i32> <i32 4, i32 0, i32 1, i32 2>
; CHECK: atomicrmw umax ptr %data, i32
; In the lanes' order.
; CHECK: attempt:
; CHECK: call float @llvm.vector.reduce.fadd.v4f32(float
; CHECK: cmpxchg ptr %data, i32
; CHECK: added:
; Different objects, one after the other; of local memory, marked.
; CHECK: lane:
; CHECK: atomicrmw add ptr {{.*}} syncscope("singlethread")
; PLAIN: lane:
; PLAIN-NOT: atomicrmw
; PLAIN: %[[OLD:.*]] = load i32, ptr %[[BIN:.*]], align 4
; PLAIN: %[[NEW:.*]] = add i32 %[[OLD]], 1
; PLAIN: store i32 %[[NEW]], ptr %[[BIN]], align 4
define void @kernel(ptr %f) "falx-kind"="2" "falx-dimensions"="1" "falx-sub-group-size"="4" {
  %id = call i64 @__falx_global_id_x()
  %data = load ptr, ptr %f
  %local = call ptr @__falx_local_memory()
  %at = getelementptr i32, ptr %data, i64 %id
  %x = load i32, ptr %at
  %old = atomicrmw add ptr %data, i32 %x syncscope("x") acq_rel, align 4
  %most = atomicrmw umax ptr %data, i32 %x monotonic, align 4
  %y = bitcast i32 %x to float
  %ignored = atomicrmw fadd ptr %data, float %y monotonic, align 4
  store i32 %old, ptr %at
  %wide = zext i32 %x to i64
  %bin = getelementptr i32, ptr %local, i64 %wide
  %count = atomicrmw add ptr %bin, i32 1 monotonic, align 4
  ret void
}
