// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// The builtins that need no index space, for CPUs: prefetches, fences, atomic scopes, native functions, and
/// what CPUs do not have. They are inlined, and work in functions that are not. Compiled with -fapprox-func
/// and -freciprocal-math: division and roots may be estimated, and functions approximated; values keep their
/// meaning otherwise. What has to be more exact is in cpu_builtins.ll.

#pragma clang attribute push(__attribute__((always_inline)), apply_to = function)

unsigned long __falx_cache_line_bytes(void) {
  return 64;
}

/// What is not used again has no level; 0 is the only locality that LLVM has for it.
void __falx_prefetch(const void* object, unsigned level, _Bool nontemporal) {
  if (nontemporal)
    __builtin_prefetch(object, 0, 0);
  else if (level == 1)
    __builtin_prefetch(object, 0, 3);
  else if (level == 2)
    __builtin_prefetch(object, 0, 2);
  else
    __builtin_prefetch(object, 0, 1);
}

/// A CPU has one scope: memory that two threads share is the whole system's. So the widest one stays.
void* __falx_atomic_scope(void* object, unsigned scope) {
  (void)scope;
  return object;
}

/// Orders are numbers of C's memory_order; scope 0 is the work-item's. Both are constants nearly always, once
/// the function is inlined.
void __falx_fence(unsigned order, unsigned scope) {
  if (scope == 0)
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
  else
    __atomic_thread_fence(order);
}

/// LLVM makes fma of halves from fma of floats, which rounds twice.
_Bool __falx_has_half_fma(void) {
  return 0;
}

/// CPUs give out no textures.
typedef float color __attribute__((ext_vector_type(4)));
color __falx_texture_color(unsigned long texture, float x, float y) {
  (void)texture, (void)x, (void)y;
  __builtin_unreachable();
}

_Bool __falx_has_async_copies(void) {
  return 0;
}
/// It is complete when the next instruction runs.
void __falx_async_copy(void* local, const void* global, unsigned bytes) {
  __builtin_memcpy((int*)local, (const int*)global, bytes);
}
void __falx_wait_for_async_copies(void) {}

/// falx::root_barrier, which begins with the runtime's function.
void __falx_root_barrier(void* state, unsigned long groups) {
  void (*const wait)(void*, unsigned long) = *(void (**)(void*, unsigned long))state;
  wait(state, groups);
}

/// Work-items do not vote, nor do some of a sub-group reduce anything by an instruction.
_Bool __falx_work_group_votes(void) {
  return 0;
}
_Bool __falx_work_group_any(_Bool predicate) {
  return predicate;
}
_Bool __falx_sub_group_reduces_members(void) {
  return 0;
}

#define NATIVE_FUNCTION(name)                                                                                \
  float __falx_native_##name##_f32(float x) {                                                                \
    return __builtin_##name##f(x);                                                                           \
  }
NATIVE_FUNCTION(cos)
NATIVE_FUNCTION(exp)
NATIVE_FUNCTION(exp2)
NATIVE_FUNCTION(exp10)
NATIVE_FUNCTION(log)
NATIVE_FUNCTION(log2)
NATIVE_FUNCTION(log10)
NATIVE_FUNCTION(sin)
NATIVE_FUNCTION(sqrt)
NATIVE_FUNCTION(tan)
float __falx_native_powr_f32(float x, float y) {
  return __builtin_powf(x, y);
}
float __falx_native_divide_f32(float x, float y) {
  return x / y;
}
float __falx_native_recip_f32(float x) {
  return 1 / x;
}
float __falx_native_rsqrt_f32(float x) {
  return 1 / __builtin_sqrtf(x);
}

#pragma clang attribute pop
