; What a loop loads in each iteration is loaded before it, as long as it is not masked: nobody else would take it out later.
; What the loop may have changed, or does only sometimes, stays.
; RUN: falx-opt --passes=falx-lower-builtins,falx-vectorize -S %s | FileCheck %s

declare i64 @__falx_global_id_x()

; CHECK-LABEL: define internal void @kernel.work_item.lanes(
; CHECK: %end = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr align 4 %at.end, <4 x i1> %active
; CHECK: loop:
; CHECK-NOT: @llvm.masked.load.v4i32.p0(ptr align 4 %at.end
; CHECK: body:
; CHECK: %sometimes = load i32, ptr %data
; CHECK: %written = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr align 4 %to
; CHECK: call void @llvm.masked.store.v4i32.p0(<4 x i32> {{.*}}, ptr align 4 %to
define void @kernel(ptr %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="4" {
entry:
  %id = call i64 @__falx_global_id_x()
  %data = load ptr, ptr %f
  %at = getelementptr ptr, ptr %f, i64 1
  %other = load ptr, ptr %at
  %start = load i32, ptr %data
  %at.end = getelementptr i32, ptr %data, i64 %id
  %to = getelementptr i32, ptr %other, i64 %id
  br label %loop
loop:
  %i = phi i32 [ %start, %entry ], [ %next, %body ]
  %end = load i32, ptr %at.end, !alias.scope !2
  %done = icmp uge i32 %i, %end
  br i1 %done, label %exit, label %body
body:
  %sometimes = load i32, ptr %data
  %written = load i32, ptr %to
  %sum = add i32 %written, %sometimes
  store i32 %sum, ptr %to, !noalias !2
  %next = add i32 %i, 1
  br label %loop
exit:
  ret void
}

!0 = distinct !{!0}
!1 = distinct !{!1, !0}
!2 = !{!1}
