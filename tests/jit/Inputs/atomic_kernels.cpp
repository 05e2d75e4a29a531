// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "falx/device_builtins.hpp"

enum scope { work_item, sub_group, work_group, device, system_wide };

struct arguments {
  int* i;
  unsigned long* l;
  float* f;
  double* d;
  unsigned char* c;
  unsigned short* s;
  _Float16* h;
  __bf16* b;
  void** p;
  int order;
};

template <class T>
T* scoped(T* object, scope where) {
  return static_cast<T*>(__falx_atomic_scope(object, where));
}
template <class T>
T* local() {
  return static_cast<T*>(__falx_local_memory()) + __falx_local_id_x();
}

#define KERNEL(name, ...)                                                                                    \
  extern "C" void name(const arguments& a) {                                                                 \
    __VA_ARGS__;                                                                                             \
  }
// clang-format off
KERNEL(orders, int* p = scoped(a.i, device); int* o = a.i + 1;
       *o = __atomic_fetch_add(p, 1, __ATOMIC_RELAXED); *o = __atomic_fetch_add(p, 2, __ATOMIC_ACQUIRE);
       *o = __atomic_fetch_add(p, 3, __ATOMIC_RELEASE); *o = __atomic_fetch_add(p, 4, __ATOMIC_ACQ_REL);
       *o = __atomic_fetch_add(p, 5, __ATOMIC_SEQ_CST))
KERNEL(scopes, int* o = a.i + 1;
       *o = __atomic_fetch_add(scoped(a.i, work_item), 1, __ATOMIC_RELAXED);
       *o = __atomic_fetch_add(scoped(a.i, sub_group), 2, __ATOMIC_RELAXED);
       *o = __atomic_fetch_add(scoped(a.i, work_group), 3, __ATOMIC_RELAXED);
       *o = __atomic_fetch_add(scoped(a.i, device), 4, __ATOMIC_RELAXED);
       *o = __atomic_fetch_add(scoped(a.i, system_wide), 5, __ATOMIC_RELAXED);
       *o = __atomic_fetch_add(a.i, 6, __ATOMIC_RELAXED))
KERNEL(unused_results, __atomic_fetch_add(scoped(a.i, device), 1, __ATOMIC_RELAXED);
       __atomic_fetch_add(scoped(a.f, device), 1.0f, __ATOMIC_RELAXED);
       __atomic_fetch_add(scoped(a.d, device), 1.0, __ATOMIC_RELEASE);
       __atomic_fetch_add(scoped(a.i, device), 1, __ATOMIC_ACQUIRE);
       __atomic_fetch_sub(scoped(a.l, device), 1, __ATOMIC_RELAXED))
KERNEL(local_memory, __atomic_fetch_add(scoped(local<int>(), work_group), 1, __ATOMIC_RELAXED);
       a.i[0] = __atomic_load_n(scoped(local<int>(), work_group), __ATOMIC_ACQUIRE))
KERNEL(loads_and_stores, int* p = scoped(a.i, device); int x = __atomic_load_n(p, __ATOMIC_ACQUIRE);
       __atomic_store_n(p, x, __ATOMIC_RELEASE); x = __atomic_load_n(p, __ATOMIC_SEQ_CST);
       __atomic_store_n(p, x, __ATOMIC_SEQ_CST))
KERNEL(swaps, int e = 1; long unsigned f = 2;
       a.i[1] = __atomic_compare_exchange_n(scoped(a.i, device), &e, 2, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
       a.l[1] = __atomic_compare_exchange_n(a.l, &f, 2, true, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); a.l[2] = e + f)
#define OF_TYPE(object)                                                                                      \
  *(object) = __atomic_fetch_add(object, *(object), __ATOMIC_ACQ_REL);                                       \
  *(object) = __atomic_fetch_sub(object, *(object), __ATOMIC_SEQ_CST);                                       \
  *(object) = __atomic_fetch_min(object, *(object), __ATOMIC_RELAXED);                                       \
  *(object) = __atomic_fetch_max(object, *(object), __ATOMIC_SEQ_CST);
#define OF_BITS(object)                                                                                      \
  *(object) = __atomic_fetch_and(object, *(object), __ATOMIC_ACQ_REL);                                       \
  *(object) = __atomic_fetch_or(object, *(object), __ATOMIC_SEQ_CST);                                        \
  *(object) = __atomic_fetch_xor(object, *(object), __ATOMIC_RELAXED);                                       \
  *(object) = __atomic_fetch_nand(object, *(object), __ATOMIC_RELAXED);                                      \
  *(object) = __atomic_exchange_n(object, *(object), __ATOMIC_SEQ_CST);                                      \
  *(object) = __atomic_load_n(object, __ATOMIC_SEQ_CST);                                                     \
  __atomic_store_n(object, *(object), __ATOMIC_SEQ_CST);
#define SWAPS(object, ...) { __VA_ARGS__ value, expected;                                                                \
  __atomic_load(object, &value, __ATOMIC_ACQUIRE); __atomic_store(object, &value, __ATOMIC_RELEASE);         \
  __atomic_exchange(object, &value, &expected, __ATOMIC_SEQ_CST);                                            \
  __atomic_compare_exchange(object, &expected, &value, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);           \
  (object)[1] = expected; }
KERNEL(integers, OF_TYPE(a.i) OF_TYPE(a.l) OF_TYPE(a.c) OF_TYPE(a.s) OF_BITS(a.i) OF_BITS(a.l) OF_BITS(a.c)
       OF_BITS(a.s) SWAPS(a.i, int) SWAPS(a.c, unsigned char) SWAPS(a.s, unsigned short))
KERNEL(floating, OF_TYPE(a.f) OF_TYPE(a.d) SWAPS(a.f, float) SWAPS(a.d, double))
KERNEL(halves, OF_TYPE(a.h) OF_TYPE(a.b) SWAPS(a.h, _Float16) SWAPS(a.b, __bf16))
KERNEL(pointers, typedef void* pointer; SWAPS(a.p, pointer) a.p[2] = __atomic_exchange_n(a.p, a.p[1], __ATOMIC_RELAXED))
KERNEL(orders_at_run_time, __atomic_fetch_add(a.i, 1, a.order); __atomic_store_n(a.i, 1, a.order))
KERNEL(fences, __falx_fence(__ATOMIC_RELAXED, device); __falx_fence(__ATOMIC_ACQUIRE, work_group);
       __falx_fence(__ATOMIC_RELEASE, device); __falx_fence(__ATOMIC_ACQ_REL, system_wide);
       __falx_fence(__ATOMIC_SEQ_CST, work_group); __falx_fence(__ATOMIC_SEQ_CST, system_wide))
// clang-format on
