// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Builtins for GPUs of NVIDIA's that can be said in C: prefetches, native functions, functions of
/// sub-groups, asynchronous barriers and copies. They are inlined. Fences and atomic scopes, which are
/// constants only then, barriers of work-groups, and what the index space says are lowered in builtins.cpp.

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

// A sub-group is a warp; the last one of a work-group may have fewer work-items. What is known when the
// kernel is compiled, builtins.cpp tells:
typedef unsigned short u16;
typedef int s32;
typedef unsigned u32;
typedef long s64;
typedef unsigned long u64;
typedef float f32;
typedef double f64;
#define KNOWN_LATER __attribute__((const, nothrow))
/// Of the work-group: how many, and which one this is.
KNOWN_LATER u32 __falx_threads(void);
KNOWN_LATER u32 __falx_linear_thread(void);
/// Every sub-group has all work-items.
KNOWN_LATER _Bool __falx_sub_groups_are_full(void);
/// There is redux.
KNOWN_LATER _Bool __falx_sub_group_reduces_members(void);

enum { WARP_SIZE = 32 };
u32 __falx_sub_group_local_id(void) {
  return __nvvm_read_ptx_sreg_laneid();
}
u32 __falx_sub_group_max_size(void) {
  return WARP_SIZE;
}
u32 __falx_sub_group_id(void) {
  return __falx_linear_thread() / WARP_SIZE;
}
u32 __falx_sub_group_count(void) {
  return (__falx_threads() + WARP_SIZE - 1) / WARP_SIZE;
}
u32 __falx_sub_group_size(void) {
  const u32 rest = __falx_threads() - __falx_sub_group_id() * WARP_SIZE;
  return __falx_sub_groups_are_full() || rest > WARP_SIZE ? WARP_SIZE : rest;
}
_Bool __falx_sub_group_in_step(void) {
  return 0;
}
_Bool __falx_sub_groups_in_order(void) {
  return 0;
}
/// Bit i is set if work-item i exists.
static u32 existing(void) {
  return __falx_sub_groups_are_full() ? ~0u : ~0u >> (WARP_SIZE - __falx_sub_group_size());
}
void __falx_sub_group_barrier(void) {
  __nvvm_bar_warp_sync(existing());
}
void __falx_sub_group_members_barrier(u64 members) {
  __nvvm_bar_warp_sync((u32)members);
}

/// Group functions synchronize (SYCL 2020 §4.17.2): accesses to memory stay before or behind them. The warp's
/// own are in order, so only the compiler has to be told.
#define KEEP_ORDER_OF_ACCESSES __asm__ volatile("" ::: "memory")

/// BOUND is the operand "c" of shfl: all lanes of a warp, no segments.
#define SHUFFLES(NAME, INSTRUCTION, BOUND)                                                                   \
  static u32 shuffle##NAME##_u32(u32 value, u32 lane, u32 members) {                                         \
    return (u32)INSTRUCTION((s32)members, (s32)value, (s32)lane, BOUND);                                     \
  }                                                                                                          \
  static u64 shuffle##NAME##_u64(u64 value, u32 lane, u32 members) {                                         \
    const u32 low = shuffle##NAME##_u32((u32)value, lane, members);                                          \
    const u32 high = shuffle##NAME##_u32((u32)(value >> 32), lane, members);                                 \
    return (u64)high << 32 | low;                                                                            \
  }                                                                                                          \
  u32 __falx_sub_group_shuffle##NAME##_u32(u32 value, u32 lane) {                                            \
    KEEP_ORDER_OF_ACCESSES;                                                                                  \
    return shuffle##NAME##_u32(value, lane, existing());                                                     \
  }                                                                                                          \
  u64 __falx_sub_group_shuffle##NAME##_u64(u64 value, u32 lane) {                                            \
    KEEP_ORDER_OF_ACCESSES;                                                                                  \
    return shuffle##NAME##_u64(value, lane, existing());                                                     \
  }
SHUFFLES(, __nvvm_shfl_sync_idx_i32, 31)
SHUFFLES(_up, __nvvm_shfl_sync_up_i32, 0)
SHUFFLES(_down, __nvvm_shfl_sync_down_i32, 31)
SHUFFLES(_xor, __nvvm_shfl_sync_bfly_i32, 31)

u32 __falx_sub_group_members_shuffle_u32(u32 value, u32 lane, u64 members) {
  KEEP_ORDER_OF_ACCESSES;
  return shuffle_u32(value, lane, (u32)members);
}
u64 __falx_sub_group_members_shuffle_u64(u64 value, u32 lane, u64 members) {
  KEEP_ORDER_OF_ACCESSES;
  return shuffle_u64(value, lane, (u32)members);
}
u64 __falx_sub_group_active(void) {
  KEEP_ORDER_OF_ACCESSES;
  return __nvvm_activemask();
}
_Bool __falx_sub_group_any(_Bool predicate) {
  KEEP_ORDER_OF_ACCESSES;
  return __nvvm_vote_any_sync(existing(), predicate);
}
_Bool __falx_sub_group_all(_Bool predicate) {
  KEEP_ORDER_OF_ACCESSES;
  return __nvvm_vote_all_sync(existing(), predicate);
}
u64 __falx_sub_group_members_ballot(_Bool predicate, u64 members) {
  KEEP_ORDER_OF_ACCESSES;
  return __nvvm_vote_ballot_sync((u32)members, predicate);
}
u64 __falx_sub_group_ballot(_Bool predicate) {
  return __falx_sub_group_members_ballot(predicate, existing());
}

/// Operations commute, so where every work-item gets the value of one at each distance, all end with the same
/// bits. Where the last sub-group may be smaller, values of work-items that do not exist are left out, and
/// the first one, which then has seen all others, hands out its result.
#define BY_SHUFFLES(NAME, TYPE, BITS, COMBINED)                                                              \
  static TYPE NAME##_##TYPE(TYPE a) {                                                                        \
    const _Bool is_full = __falx_sub_groups_are_full();                                                      \
    const u32 members = existing();                                                                          \
    union {                                                                                                  \
      TYPE value;                                                                                            \
      BITS bits;                                                                                             \
    } other;                                                                                                 \
    for (u32 distance = 16; distance != 0; distance /= 2) {                                                  \
      other.value = a;                                                                                       \
      other.bits = is_full ? shuffle_xor_##BITS(other.bits, distance, members)                               \
                           : shuffle_down_##BITS(other.bits, distance, members);                             \
      const TYPE b = other.value;                                                                            \
      const _Bool exists = is_full | (__falx_sub_group_local_id() + distance < __falx_sub_group_size());     \
      a = exists ? (COMBINED) : a;                                                                           \
    }                                                                                                        \
    other.value = a;                                                                                         \
    other.bits = is_full ? other.bits : shuffle_##BITS(other.bits, 0, members);                              \
    return other.value;                                                                                      \
  }
#define REDUCTION(NAME, TYPE, BITS, COMBINED)                                                                \
  BY_SHUFFLES(NAME, TYPE, BITS, COMBINED)                                                                    \
  TYPE __falx_sub_group_reduce_##NAME##_##TYPE(TYPE value) {                                                 \
    KEEP_ORDER_OF_ACCESSES;                                                                                  \
    return NAME##_##TYPE(value);                                                                             \
  }
/// Those of members are not called where there is no instruction.
#define REDUCTION_OF_WORDS(NAME, TYPE, REDUX, COMBINED)                                                      \
  BY_SHUFFLES(NAME, TYPE, u32, COMBINED)                                                                     \
  TYPE __falx_sub_group_members_reduce_##NAME##_##TYPE(TYPE value, u64 members) {                            \
    KEEP_ORDER_OF_ACCESSES;                                                                                  \
    return __falx_sub_group_reduces_members() ? (TYPE)REDUX((s32)value, (s32)members) : 0;                   \
  }                                                                                                          \
  TYPE __falx_sub_group_reduce_##NAME##_##TYPE(TYPE value) {                                                 \
    KEEP_ORDER_OF_ACCESSES;                                                                                  \
    return __falx_sub_group_reduces_members() ? (TYPE)REDUX((s32)value, (s32)existing())                     \
                                              : NAME##_##TYPE(value);                                        \
  }
#define REDUCTION_OF_BITS(NAME, REDUX, COMBINED)                                                             \
  REDUCTION_OF_WORDS(NAME, u32, REDUX, COMBINED)                                                             \
  BY_SHUFFLES(NAME, u64, u64, COMBINED)                                                                      \
  u64 __falx_sub_group_reduce_##NAME##_u64(u64 value) {                                                      \
    if (__falx_sub_group_reduces_members())                                                                  \
      return (u64)__falx_sub_group_reduce_##NAME##_u32((u32)(value >> 32)) << 32 |                           \
             __falx_sub_group_reduce_##NAME##_u32((u32)value);                                               \
    KEEP_ORDER_OF_ACCESSES;                                                                                  \
    return NAME##_u64(value);                                                                                \
  }
REDUCTION_OF_WORDS(add, u32, __nvvm_redux_sync_add, a + b)
REDUCTION_OF_WORDS(min, s32, __nvvm_redux_sync_min, a < b ? a : b)
REDUCTION_OF_WORDS(max, s32, __nvvm_redux_sync_max, a > b ? a : b)
REDUCTION_OF_WORDS(min, u32, __nvvm_redux_sync_umin, a < b ? a : b)
REDUCTION_OF_WORDS(max, u32, __nvvm_redux_sync_umax, a > b ? a : b)
REDUCTION_OF_BITS(and, __nvvm_redux_sync_and, a& b)
REDUCTION_OF_BITS(or, __nvvm_redux_sync_or, a | b)
REDUCTION_OF_BITS(xor, __nvvm_redux_sync_xor, a ^ b)
REDUCTION(add, u64, u64, a + b)
REDUCTION(min, s64, u64, a < b ? a : b)
REDUCTION(max, s64, u64, a > b ? a : b)
REDUCTION(min, u64, u64, a < b ? a : b)
REDUCTION(max, u64, u64, a > b ? a : b)
REDUCTION(add, f32, u32, a + b)
REDUCTION(min, f32, u32, __builtin_fminf(a, b))
REDUCTION(max, f32, u32, __builtin_fmaxf(a, b))
REDUCTION(add, f64, u64, a + b)
REDUCTION(min, f64, u64, __builtin_fmin(a, b))
REDUCTION(max, f64, u64, __builtin_fmax(a, b))

// Roots without branches (branchless_roots.cpp). What is too small for the estimate is scaled before, and the
// result after.
#define MULTIPLY_ADD __builtin_elementwise_fma

/// Zero and infinity, whose product is not a number.
static _Bool is_special(f32 x, _Bool may_be_small) {
  return (may_be_small & (x == 0)) | (x == __builtin_inff());
}
f32 __falx_root_f32(f32 x, _Bool may_be_small) {
  const _Bool is_small = may_be_small & (x < 0x1p-101f);
  const f32 scaled = is_small ? x * 0x1p64f : x;
  const f32 estimate = __nvvm_rsqrt_approx_ftz_f(scaled);
  const f32 guess = scaled * estimate;
  const f32 half = estimate * 0.5f;
  const f32 error = MULTIPLY_ADD(-guess, guess, scaled);
  const f32 refined = MULTIPLY_ADD(error, half, guess);
  const f32 root = is_small ? refined * 0x1p-32f : refined;
  return is_special(x, may_be_small) ? x : root;
}
/// \p root is that of \p x, and neither too small nor too large.
f32 __falx_reciprocal_of_root_f32(f32 root, f32 x, _Bool may_be_small) {
  const f32 estimate = __nvvm_rcp_approx_ftz_f(root);
  const f32 error = MULTIPLY_ADD(-root, estimate, 1.0f);
  const f32 refined = MULTIPLY_ADD(error, estimate, estimate);
  return is_special(x, may_be_small) ? estimate : refined;
}

/// The quotient of two halves, exact enough to be rounded to half: for all pairs, whichever way the estimate
/// errs. It is the first one, uncorrected, that is right where that is zero, infinite or no number.
f32 __falx_quotient_of_halves_f32(f32 dividend, f32 divisor) {
  const f32 estimate = __nvvm_rcp_approx_ftz_f(divisor);
  const f32 quotient = dividend * estimate;
  const f32 error = MULTIPLY_ADD(-divisor, quotient, dividend);
  const f32 refined = MULTIPLY_ADD(estimate, error, quotient);
  return __builtin_islessgreater(refined, 0.0f) ? refined : quotient;
}

static s32 high_word(f64 x) {
  typedef s32 words __attribute__((ext_vector_type(2)));
  return __builtin_bit_cast(words, x)[1];
}
f64 estimate_reciprocal_root(f64 x) __asm__("llvm.nvvm.rsqrt.approx.ftz.d");
f64 __falx_reciprocal_root_f64(f64 x, _Bool may_be_small) {
  const s32 of_least_normal = 0x00100000, of_infinity = 0x7ff00000;
  const _Bool is_small = may_be_small & (high_word(x) < of_least_normal);
  x = is_small ? x * 0x1p54 : x;
  const f64 estimate = estimate_reciprocal_root(x);
  const f64 error = MULTIPLY_ADD(-x, estimate * estimate, 1.0);
  const f64 series = MULTIPLY_ADD(error, 0.375, 0.5);
  // The estimate is the result for zero, infinity and what has no root. Integer comparisons, as those of
  // doubles take the arithmetic units' time.
  const _Bool is_final =
      may_be_small ? (u32)high_word(x) - (u32)of_least_normal >= (u32)(of_infinity - of_least_normal)
                   : high_word(estimate) == 0;
  const f64 refined = MULTIPLY_ADD(series, estimate * error, estimate);
  const f64 root = is_final ? estimate : refined;
  return is_small ? root * 0x1p27 : root;
}

// Asynchronous barriers are the hardware's. Which kernels may have them, builtins.cpp says:
/// Arrivals at once, of which the hardware knows no 0.
void __falx_needs_async_barriers(u32 arrivals);
/// There is mbarrier.try_wait, in which the hardware suspends the thread for a while.
KNOWN_LATER _Bool __falx_async_waits_suspend(void);
KNOWN_LATER _Bool __falx_has_async_copies(void);
#define SHARED __attribute__((address_space(3)))
#define GLOBAL __attribute__((address_space(1)))
typedef SHARED long long* hardware_barrier;
_Bool try_wait(hardware_barrier barrier,
               u64 token) __asm__("llvm.nvvm.mbarrier.try.wait.scope.cta.space.cta");

#define BARRIER_FUNCTION(TYPE, NAME, INSTRUCTION)                                                            \
  TYPE __falx_async_barrier_##NAME(u64* state) {                                                             \
    __falx_needs_async_barriers(1);                                                                          \
    return INSTRUCTION((hardware_barrier)state);                                                             \
  }
#define BARRIER_FUNCTION_OF_TWO(TYPE, NAME, INSTRUCTION, SECOND, ARRIVALS)                                   \
  TYPE __falx_async_barrier_##NAME(u64* state, SECOND second) {                                              \
    __falx_needs_async_barriers(ARRIVALS);                                                                   \
    return INSTRUCTION((hardware_barrier)state, (SECOND)second);                                             \
  }
BARRIER_FUNCTION_OF_TWO(void, initialize, __nvvm_mbarrier_init_shared, u32, 1)
BARRIER_FUNCTION(void, invalidate, __nvvm_mbarrier_inval_shared)
BARRIER_FUNCTION(u64, arrive, __nvvm_mbarrier_arrive_shared)
BARRIER_FUNCTION(u64, arrive_and_drop, __nvvm_mbarrier_arrive_drop_shared)
BARRIER_FUNCTION_OF_TWO(u64, arrive_no_complete, __nvvm_mbarrier_arrive_noComplete_shared, u32, second)
BARRIER_FUNCTION_OF_TWO(u64, arrive_and_drop_no_complete, __nvvm_mbarrier_arrive_drop_noComplete_shared, u32,
                        second)
BARRIER_FUNCTION(void, arrive_after_copies, __nvvm_cp_async_mbarrier_arrive_shared)
BARRIER_FUNCTION(void, arrive_after_copies_no_inc, __nvvm_cp_async_mbarrier_arrive_noinc_shared)
BARRIER_FUNCTION_OF_TWO(_Bool, test, __nvvm_mbarrier_test_wait_shared, u64, 1)
void __falx_async_barrier_wait(u64* state, u64 token) {
  __falx_needs_async_barriers(1);
  const hardware_barrier barrier = (hardware_barrier)state;
  while (!(__falx_async_waits_suspend() ? try_wait(barrier, token)
                                        : __nvvm_mbarrier_test_wait_shared(barrier, (s64)token))) {
  }
}

/// Sixteen bytes at once need not pass through the first level of the cache, where they would be of no use.
void __falx_async_copy(void* local, const void* global, u32 bytes) {
  SHARED void* const to = (SHARED void*)local;
  const GLOBAL void* const from = (const GLOBAL void*)global;
  if (bytes == 4)
    __nvvm_cp_async_ca_shared_global_4(to, from);
  else if (bytes == 8)
    __nvvm_cp_async_ca_shared_global_8(to, from);
  else if (bytes == 16)
    __nvvm_cp_async_cg_shared_global_16(to, from);
  else
    __builtin_memcpy((int*)local, (const int*)global, bytes);
}
void __falx_wait_for_async_copies(void) {
  if (__falx_has_async_copies())
    __nvvm_cp_async_wait_all();
}

// In place of what headers have for all devices (native_functions.cpp).
#define IN_PLACE_OF(HEADERS) __asm__("falx." HEADERS)

u16 round_to_bfloat16(float value) IN_PLACE_OF("bfloat16_bits");
u16 round_to_bfloat16(float value) {
  return __builtin_bit_cast(u16, (__bf16)value);
}
u16 multiply_and_add_bfloat16(u16 a, u16 b, u16 c) IN_PLACE_OF("bfloat16_fma");
u16 multiply_and_add_bfloat16(u16 a, u16 b, u16 c) {
  return __builtin_bit_cast(u16, __builtin_elementwise_fma(__builtin_bit_cast(__bf16, a),
                                                           __builtin_bit_cast(__bf16, b),
                                                           __builtin_bit_cast(__bf16, c)));
}
/// Cycles of the multiprocessor, which runs all work-items of a group.
u64 read_cycles(void) IN_PLACE_OF("group_clock");
u64 read_cycles(void) {
  return __builtin_readcyclecounter();
}
u64 read_timer(void) IN_PLACE_OF("device_clock");
u64 read_timer(void) {
  return __builtin_readsteadycounter();
}
/// Four products of bytes and a sum; the letters say whether bytes have signs.
#define DOT_PRODUCT(FIRST, SECOND)                                                                           \
  u32 idp4a_##FIRST##SECOND(u32 a, u32 b, u32 c) __asm__("llvm.nvvm.idp4a." #FIRST "." #SECOND);             \
  u32 dot_product_##FIRST##SECOND(u32 a, u32 b, u32 c) IN_PLACE_OF("dot_acc_" #FIRST #SECOND);               \
  u32 dot_product_##FIRST##SECOND(u32 a, u32 b, u32 c) {                                                     \
    return idp4a_##FIRST##SECOND(a, b, c);                                                                   \
  }
DOT_PRODUCT(s, s)
DOT_PRODUCT(s, u)
DOT_PRODUCT(u, s)
DOT_PRODUCT(u, u)

/// Conversions and arithmetic with a rounding mode, of vec::convert and sycl::ext::intel::math.
#define ROUNDED_CONVERSION(NAME, TO, FROM, INTRINSIC, MODE, ROUNDING)                                        \
  TO convert_##INTRINSIC##_##ROUNDING(FROM value) __asm__("llvm.nvvm." #INTRINSIC "." #ROUNDING);            \
  TO NAME##_##MODE(FROM value) IN_PLACE_OF(#NAME "_" #MODE);                                                 \
  TO NAME##_##MODE(FROM value) {                                                                             \
    return convert_##INTRINSIC##_##ROUNDING(value);                                                          \
  }
#define ROUNDED_CONVERSIONS(NAME, TO, FROM, INTRINSIC)                                                       \
  ROUNDED_CONVERSION(NAME, TO, FROM, INTRINSIC, rtz, rz)                                                     \
  ROUNDED_CONVERSION(NAME, TO, FROM, INTRINSIC, rtp, rp)                                                     \
  ROUNDED_CONVERSION(NAME, TO, FROM, INTRINSIC, rtn, rm)
ROUNDED_CONVERSIONS(double_to_float, float, double, d2f)
ROUNDED_CONVERSIONS(int32_to_float, float, int, i2f)
ROUNDED_CONVERSIONS(uint32_to_float, float, u32, ui2f)
ROUNDED_CONVERSIONS(int64_to_float, float, long long, ll2f)
ROUNDED_CONVERSIONS(uint64_to_float, float, u64, ull2f)
ROUNDED_CONVERSIONS(int64_to_double, double, long long, ll2d)
ROUNDED_CONVERSIONS(uint64_to_double, double, u64, ull2d)

#define ROUNDED_FUNCTION(TYPE, NAME, SUFFIX, PARAMETERS, INTRINSIC, ...)                                     \
  TYPE rounded_##NAME##_##SUFFIX PARAMETERS __asm__("llvm.nvvm." INTRINSIC);                                 \
  TYPE NAME##_##SUFFIX PARAMETERS IN_PLACE_OF(#NAME "_" #SUFFIX);                                            \
  TYPE NAME##_##SUFFIX PARAMETERS {                                                                          \
    return rounded_##NAME##_##SUFFIX(__VA_ARGS__);                                                           \
  }
#define ROUNDED_FUNCTIONS(SUFFIX, ROUNDING)                                                                  \
  ROUNDED_FUNCTIONS_OF(float, fadd, fsub, fmul, fmaf, fdiv, frcp, fsqrt, SUFFIX, #ROUNDING ".f")             \
  ROUNDED_FUNCTIONS_OF(double, dadd, dsub, dmul, fma, ddiv, drcp, dsqrt, SUFFIX, #ROUNDING ".d")
#define ROUNDED_FUNCTIONS_OF(TYPE, ADD, SUB, MUL, FMA, DIV, RCP, SQRT, SUFFIX, ROUNDING)                     \
  ROUNDED_FUNCTION(TYPE, ADD, SUFFIX, (TYPE x, TYPE y), "add." ROUNDING, x, y)                               \
  ROUNDED_FUNCTION(TYPE, SUB, SUFFIX, (TYPE x, TYPE y), "add." ROUNDING, x, -y)                              \
  ROUNDED_FUNCTION(TYPE, MUL, SUFFIX, (TYPE x, TYPE y), "mul." ROUNDING, x, y)                               \
  ROUNDED_FUNCTION(TYPE, FMA, SUFFIX, (TYPE x, TYPE y, TYPE z), "fma." ROUNDING, x, y, z)                    \
  ROUNDED_FUNCTION(TYPE, DIV, SUFFIX, (TYPE x, TYPE y), "div." ROUNDING, x, y)                               \
  ROUNDED_FUNCTION(TYPE, RCP, SUFFIX, (TYPE x), "rcp." ROUNDING, x)                                          \
  ROUNDED_FUNCTION(TYPE, SQRT, SUFFIX, (TYPE x), "sqrt." ROUNDING, x)
ROUNDED_FUNCTIONS(rn, rn)
ROUNDED_FUNCTIONS(rz, rz)
ROUNDED_FUNCTIONS(ru, rp)
ROUNDED_FUNCTIONS(rd, rm)
