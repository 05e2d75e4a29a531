// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// The builtins that need no index space, for GPUs of NVIDIA's: prefetches and native functions. They are
/// inlined. Fences and atomic scopes, which are constants only then, are lowered in builtins.cpp.

#pragma clang attribute push(__attribute__((always_inline)), apply_to = function)

unsigned long __falx_cache_line_bytes(void) {
  return 128;
}

/// There is one instruction for the first and one for the second level, which is the last.
void __falx_prefetch(const void* object, unsigned level, _Bool nontemporal) {
  (void)nontemporal;
  if (level == 1)
    __builtin_prefetch(object, 0, 3);
  else
    __builtin_prefetch(object, 0, 2);
}

/// falx::root_barrier. All groups of the launch run at once, so that one may spin until the others are there.
struct root_barrier {
  void* wait;
  unsigned arrived, generation;
};
void __falx_root_barrier(void* state, unsigned long groups) {
  struct root_barrier* const barrier = state;
  const unsigned generation =
      __scoped_atomic_load_n(&barrier->generation, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
  __nvvm_membar_gl();
  const unsigned before =
      __scoped_atomic_fetch_add(&barrier->arrived, 1, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
  if (before + 1 == groups) {
    __scoped_atomic_store_n(&barrier->arrived, 0, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
    __nvvm_membar_gl();
    __scoped_atomic_fetch_add(&barrier->generation, 1, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
  } else {
    while (__scoped_atomic_load_n(&barrier->generation, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE) ==
           generation) {
    }
  }
  __nvvm_membar_gl();
}

_Bool __falx_has_half_fma(void) {
  return 1;
}

// Off by at most 2 units in the last place of float and 1 of double: what CUDA's own functions are.
float __falx_rsqrt_f32(float x) {
  return __nvvm_rsqrt_approx_f(x);
}
double __falx_rsqrt_f64(double x) {
  return __nvvm_rsqrt_approx_d(x);
}

// What the hardware has is base 2; the other bases and powr are a multiplication away, as in CUDA's
// intrinsics.
float __falx_native_sin_f32(float x) {
  return __nvvm_sin_approx_f(x);
}
float __falx_native_cos_f32(float x) {
  return __nvvm_cos_approx_f(x);
}
float __falx_native_exp2_f32(float x) {
  return __nvvm_ex2_approx_f(x);
}
float __falx_native_log2_f32(float x) {
  return __nvvm_lg2_approx_f(x);
}
float __falx_native_recip_f32(float x) {
  return __nvvm_rcp_approx_ftz_f(x);
}
float __falx_native_rsqrt_f32(float x) {
  return __nvvm_rsqrt_approx_f(x);
}
float __falx_native_sqrt_f32(float x) {
  return __nvvm_sqrt_approx_f(x);
}
float __falx_native_divide_f32(float x, float y) {
  return __nvvm_div_approx_f(x, y);
}
float __falx_native_tan_f32(float x) {
  return __nvvm_div_approx_f(__nvvm_sin_approx_f(x), __nvvm_cos_approx_f(x));
}
float __falx_native_exp_f32(float x) {
  const float log2_e = 1.44269502162933349609375f;
  return __nvvm_ex2_approx_f(x * log2_e);
}
float __falx_native_exp10_f32(float x) {
  const float log2_10 = 3.3219280242919921875f;
  return __nvvm_ex2_approx_f(x * log2_10);
}
float __falx_native_log_f32(float x) {
  const float ln_2 = 0.693147182464599609375f;
  return __nvvm_lg2_approx_f(x) * ln_2;
}
float __falx_native_log10_f32(float x) {
  const float log10_2 = 0.3010300099849700927734375f;
  return __nvvm_lg2_approx_f(x) * log10_2;
}
float __falx_native_powr_f32(float x, float y) {
  return __nvvm_ex2_approx_f(y * __nvvm_lg2_approx_f(x));
}

#pragma clang attribute pop
