; A block that some lanes come to is left out when there are none if it takes longer than a wrongly predicted
; branch, by the target's costs: a quotient of 8 lanes is two of the slow ones of Nehalem, one of Haswell's.
; RUN: falx-opt -mtriple=x86_64-linux-gnu -mcpu=nehalem --passes=falx-lower-builtins,falx-interleave,falx-vectorize-range -S %s | FileCheck %s --check-prefix=GUARDED
; RUN: falx-opt -mtriple=x86_64-linux-gnu -mcpu=haswell --passes=falx-lower-builtins,falx-interleave,falx-vectorize-range -S %s | FileCheck %s
; GUARDED: quotient.any:
; GUARDED: br i1 %{{.*}}, label %quotient, label %
; CHECK-NOT: quotient.any:
; CHECK: quotient:
; CHECK: fdiv <8 x float>
; CHECK-NOT: sum.any:
; GUARDED-NOT: sum.any:
declare i64 @__falx_global_id_x()

define void @kernel(ptr dereferenceable(8) %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="8" {
entry:
  %data = load ptr, ptr %f
  %id = call i64 @__falx_global_id_x()
  %at = getelementptr float, ptr %data, i64 %id
  %x = load float, ptr %at
  %is.large = fcmp ogt float %x, 1.0
  br i1 %is.large, label %quotient, label %next
quotient:
  %y = fdiv float 3.0, %x
  br label %next
next:
  %z = phi float [ %x, %entry ], [ %y, %quotient ]
  %is.small = fcmp olt float %z, 0.5
  br i1 %is.small, label %sum, label %end
sum:
  %more = fadd float %z, %x
  br label %end
end:
  %result = phi float [ %z, %next ], [ %more, %sum ]
  store float %result, ptr %at
  ret void
}
