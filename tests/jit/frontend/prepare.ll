; Host code becomes device code: no exceptions, no host attributes, what throws fails an assertion, math does not touch memory.
; RUN: falx-opt --passes=falx-prepare -S %s | FileCheck %s

declare i32 @__gxx_personality_v0(...)
declare float @may_throw(float)
declare float @sqrtf(float)
declare double @frexp(double, ptr)
declare void @_ZSt20__throw_length_errorPKc(ptr)
declare void @__ubsan_handle_add_overflow(ptr, i64, i64)
declare void @__falx_work_group_barrier()
declare float @__falx_sub_group_reduce_add_f32(float)
declare void @__falx_work_items_begin()
declare i64 @__falx_work_items_first_x()
declare void @cleanup()

; CHECK-DAG: declare float @sqrtf(float) #[[PURE:[0-9]+]]
; CHECK-DAG: declare double @frexp(double, ptr) #[[RESULT:[0-9]+]]
; CHECK-DAG: declare void @__falx_work_group_barrier() #[[BARRIER:[0-9]+]]
; CHECK-DAG: declare float @__falx_sub_group_reduce_add_f32(float) #[[BARRIER]]
; CHECK-DAG: declare void @__falx_work_items_begin() #[[BARRIER]]
; CHECK-DAG: declare i64 @__falx_work_items_first_x() #[[NO_BARRIER:[0-9]+]]
; CHECK-LABEL: define void @kernel(ptr %f)
; CHECK-NOT: personality
; CHECK: call float @may_throw(
; CHECK-NEXT: br label %ok
; CHECK: ok:
; CHECK-NOT: __ubsan_handle
; CHECK-NOT: load i32
; CHECK: store volatile i1 true, ptr %f
; CHECK-NOT: landingpad
; CHECK: throws:
; CHECK: call void @__assert_fail(
; CHECK-NEXT: unreachable
; CHECK-NOT: __throw_length_error
define void @kernel(ptr %f) #0 personality ptr @__gxx_personality_v0 {
  %r = invoke float @may_throw(float 1.0) to label %ok unwind label %landing
ok:
  %s = call float @sqrtf(float %r)
  %m = call double @frexp(double 1.0, ptr %f)
  call void @__ubsan_handle_add_overflow(ptr %f, i64 1, i64 2)
  %type = load i32, ptr getelementptr (<{ i32, i32 }>, ptr @may_throw, i32 -1, i32 1), align 4, !nosanitize !{}
  %is.right = icmp eq i32 %type, 7, !nosanitize !{}
  store volatile i1 %is.right, ptr %f
  call void @__falx_work_group_barrier()
  %sum = call float @__falx_sub_group_reduce_add_f32(float %s)
  call void @__falx_work_items_begin()
  %first = call i64 @__falx_work_items_first_x()
  %bad = fcmp ogt float %s, 1.0
  br i1 %bad, label %throws, label %end
throws:
  call void @_ZSt20__throw_length_errorPKc(ptr null)
  call void @_ZSt20__throw_length_errorPKc(ptr null)
  unreachable
end:
  ret void
landing:
  %l = landingpad { ptr, i32 } cleanup
  call void @cleanup()
  resume { ptr, i32 } %l
}

; CHECK-NOT: {{noinline|optnone|target-cpu|sanitize}}
; CHECK: attributes #[[PURE]] = { {{.*}}nounwind willreturn memory(none) }
; CHECK: attributes #[[RESULT]] = { {{.*}}nounwind willreturn memory(argmem: write) }
; CHECK: attributes #[[BARRIER]] = { convergent nounwind }
; CHECK: attributes #[[NO_BARRIER]] = { nounwind }
; CHECK-NOT: {{noinline|optnone|target-cpu|sanitize}}
attributes #0 = { noinline optnone sanitize_address "target-cpu"="x86-64" "falx-kind"="2" }
