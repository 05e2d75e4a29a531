; The builtin becomes its argument, which is a constant from then on.
; RUN: falx-opt --passes=falx-specialization-constants -S %s | FileCheck %s
; RUN: not falx-opt --passes=falx-specialization-constants -S %S/../Inputs/specialization-constant-unknown.ll 2>&1 | FileCheck %s --check-prefix=UNKNOWN

; CHECK: @id = internal constant { i32 } { i32 3 }
@id = internal global { i32 } { i32 3 }

declare ptr @__falx_specialization_constant(ptr)

; CHECK-LABEL: define i32 @read()
; CHECK-NEXT: %value = load i32, ptr @id
; CHECK-NOT: __falx_specialization_constant
define i32 @read() {
  %bytes = call ptr @__falx_specialization_constant(ptr @id)
  %value = load i32, ptr %bytes
  ret i32 %value
}

; UNKNOWN: A specialization constant is read through a pointer that is not its specialization_id.
