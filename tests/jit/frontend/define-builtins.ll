; Scopes fold away, fences and native math get bodies that calls in any function can use.
; RUN: falx-opt --passes=falx-prepare,falx-define-builtins-cpu -S %s | FileCheck %s
; RUN: falx-opt --passes=falx-prepare,falx-define-builtins-cpu,falx-simplify -S %s | FileCheck %s --check-prefix=INLINED

declare ptr @__falx_atomic_scope(ptr, i32)
declare void @__falx_fence(i32, i32)
declare float @__falx_native_cos_f32(float)
declare float @__falx_native_rsqrt_f32(float)
declare float @__falx_native_divide_f32(float, float)
declare float @__falx_native_future_f32(float)
declare double @__falx_rsqrt_f64(double)
declare zeroext i1 @__falx_has_half_fma()

; CHECK: declare float @__falx_native_future_f32(float)
; CHECK-LABEL: define internal {{.*}}ptr @__falx_atomic_scope(ptr {{.*}}%0, i32 {{.*}}%1)
; CHECK: ret ptr %0
; CHECK-LABEL: define internal void @__falx_fence(
; CHECK: fence syncscope("singlethread") seq_cst
; CHECK-LABEL: define internal {{.*}}i1 @__falx_has_half_fma()
; CHECK: ret i1 false
; CHECK-LABEL: define internal {{.*}}float @__falx_native_cos_f32(float {{.*}}%0)
; CHECK: %[[COS:.*]] = tail call arcp afn float @llvm.cos.f32(float %0)
; CHECK: ret float %[[COS]]
; CHECK-LABEL: define internal {{.*}}float @__falx_native_divide_f32(float {{.*}}%0, float {{.*}}%1)
; CHECK: fdiv arcp afn float %0, %1
; CHECK-LABEL: define internal {{.*}}float @__falx_native_rsqrt_f32(float {{.*}}%0)
; CHECK: %[[ROOT:.*]] = tail call arcp afn float @llvm.sqrt.f32(float %0)
; CHECK: fdiv arcp afn float 1.000000e+00, %[[ROOT]]
; CHECK-LABEL: define internal double @__falx_rsqrt_f64(double %x)
; CHECK: %[[EXACT:.*]] = call double @llvm.sqrt.f64(double %x)
; CHECK: fdiv double 1.000000e+00, %[[EXACT]]

; A function that calls itself is not inlined: the builtins work in it nevertheless.
define i32 @recursive(ptr %p, i32 %n) {
  %object = call ptr @__falx_atomic_scope(ptr %p, i32 2)
  %old = atomicrmw add ptr %object, i32 1 monotonic
  call void @__falx_fence(i32 5, i32 3)
  %more = icmp ult i32 %old, %n
  br i1 %more, label %again, label %end
again:
  %r = call i32 @recursive(ptr %p, i32 %n)
  ret i32 %r
end:
  ret i32 %old
}

; INLINED-LABEL: define i32 @recursive(
; INLINED: atomicrmw add ptr %p, i32 1 monotonic
; INLINED-NEXT: fence seq_cst
; INLINED-LABEL: define void @kernel(
; INLINED: call i32 @recursive
; INLINED: fence syncscope("singlethread") seq_cst
; INLINED-NEXT: fence acquire
; INLINED-NEXT: load float
; INLINED-NEXT: fence release
; INLINED-NEXT: call arcp afn float @llvm.cos.f32
define void @kernel(ptr %f) "falx-kind"="1" "falx-dimensions"="1" {
  %p = load ptr, ptr %f
  %r = call i32 @recursive(ptr %p, i32 3)
  call void @__falx_fence(i32 5, i32 0)
  call void @__falx_fence(i32 0, i32 3)
  call void @__falx_fence(i32 2, i32 4)
  %x = load float, ptr %p
  call void @__falx_fence(i32 3, i32 2)
  %c = call float @__falx_native_cos_f32(float %x)
  %s = call float @__falx_native_rsqrt_f32(float %c)
  %d = call float @__falx_native_divide_f32(float %s, float %x)
  %e = call float @__falx_native_future_f32(float %d)
  store float %e, ptr %p
  %wide = fpext float %e to double
  %root = call double @__falx_rsqrt_f64(double %wide)
  store double %root, ptr %p
  %fma = call zeroext i1 @__falx_has_half_fma()
  store i1 %fma, ptr %p
  ret void
}
