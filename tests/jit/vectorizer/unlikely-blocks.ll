; A block that is called unlikely is left out where no lane comes to it, though it costs less than a branch
; that is predicted wrongly: this one is predicted rightly, and its branch says so.
; RUN: falx-opt -mtriple=x86_64-linux-gnu -mcpu=haswell --passes=falx-lower-builtins,falx-vectorize-range -S %s | FileCheck %s
; CHECK-NOT: usual.any:
; CHECK: rare.any:
; CHECK: br i1 %{{.*}}, label %rare, label %next, !prof ![[UNLIKELY:[0-9]+]]
; CHECK-NOT: usual.any:
; CHECK: ![[UNLIKELY]] = !{!"branch_weights", i32 1, i32 1048575}
declare i64 @__falx_global_id_x()

define void @kernel(ptr dereferenceable(8) %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="8" {
entry:
  %data = load ptr, ptr %f
  %id = call i64 @__falx_global_id_x()
  %at = getelementptr float, ptr %data, i64 %id
  %x = load float, ptr %at
  %is.large = fcmp ogt float %x, 1.0
  br i1 %is.large, label %rare, label %next, !prof !0
rare:
  %y = fmul float %x, 3.0
  %y2 = fadd float %y, 5.0
  %y3 = fmul float %y2, %y
  %y4 = fadd float %y3, 7.0
  br label %next
next:
  %z = phi float [ %x, %entry ], [ %y4, %rare ]
  %is.small = fcmp olt float %z, 0.5
  br i1 %is.small, label %usual, label %end
usual:
  %u = fmul float %z, 3.0
  %u2 = fadd float %u, 5.0
  %u3 = fmul float %u2, %u
  %u4 = fadd float %u3, 7.0
  br label %end
end:
  %result = phi float [ %z, %next ], [ %u4, %usual ]
  store float %result, ptr %at
  ret void
}
!0 = !{!"branch_weights", i32 1, i32 2000}
