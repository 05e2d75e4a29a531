; Lanes whose call never returns, as that of an assertion, go on to the end as all do: the others have to get there.
; RUN: falx-opt --passes=falx-lower-builtins,falx-vectorize -S %s | FileCheck %s

declare i64 @__falx_global_id_x()
declare void @stop(ptr) noreturn nounwind
@message = constant [4 x i8] c"bad\00"

; CHECK-LABEL: define internal void @kernel.work_item.lanes(
; CHECK: br i1 %{{.*}}, label %complain, label %end
; CHECK: end:
; CHECK: call void @llvm.masked.store.v8f32.p0(<8 x float> %twice
; CHECK: ret void
; CHECK: lane:
; CHECK: call void @stop(ptr @message)
; CHECK-NEXT: unreachable
define void @kernel(ptr %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="8" {
entry:
  %id = call i64 @__falx_global_id_x()
  %data = load ptr, ptr %f
  %at = getelementptr float, ptr %data, i64 %id
  %x = load float, ptr %at
  %bad = fcmp olt float %x, 0.0
  br i1 %bad, label %complain, label %end
complain:
  call void @stop(ptr @message) noreturn nounwind
  unreachable
end:
  %twice = fadd float %x, %x
  store float %twice, ptr %at
  ret void
}
