// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "falx/device_builtins.hpp"

/// Kernels with asynchronous barriers, asynchronous copies and prefetches at the start of local memory.

struct alignas(16) four_words {
  int words[4];
};
struct arguments {
  int* data;
  four_words* wide;
};

static std::uint64_t* barrier(std::size_t number = 0) {
  return static_cast<std::uint64_t*>(__falx_local_memory()) + number;
}

extern "C" {
void every_operation(const arguments& f) {
  if (__falx_local_id_x() == 0)
    __falx_async_barrier_initialize(barrier(), 256);
  __falx_work_group_barrier();
  const auto first = __falx_async_barrier_arrive(barrier());
  __falx_async_barrier_wait(barrier(), first);
  const auto second = __falx_async_barrier_arrive_no_complete(barrier(), 3);
  f.data[0] = __falx_async_barrier_test(barrier(), second);
  const auto third = __falx_async_barrier_arrive_and_drop_no_complete(barrier(), 2);
  const auto fourth = __falx_async_barrier_arrive_and_drop(barrier());
  f.data[1] = static_cast<int>(third ^ fourth);
  __falx_async_barrier_arrive_after_copies(barrier());
  __falx_async_barrier_arrive_after_copies_no_inc(barrier());
  __falx_work_group_barrier();
  __falx_async_barrier_invalidate(barrier());
}

void copies_in_parts(const arguments& f) {
  char* local = static_cast<char*>(__falx_local_memory());
  const auto self = __falx_local_id_x();
  if (__falx_has_async_copies()) {
    __falx_async_copy(local + 16 * self, f.data + self, 4);
    __falx_async_copy(local + 4096 + 16 * self, f.data + 2 * self, 8);
    __falx_async_copy(local + 8192 + 16 * self, f.wide + self, 16);
  } else {
    reinterpret_cast<int*>(local)[4 * self] = f.data[self];
  }
  __falx_wait_for_async_copies();
  __falx_work_group_barrier();
  f.data[self] = reinterpret_cast<int*>(local)[4 * self + 4];
}

void never_arrives(const arguments& f) {
  f.data[0] = static_cast<int>(__falx_async_barrier_arrive_no_complete(barrier(), 0));
}

void prefetch_levels(const arguments& f) {
  __falx_prefetch(f.data, 1, false);
  __falx_prefetch(f.data, 2, false);
  __falx_prefetch(f.data, 3, false);
  __falx_prefetch(f.data, 4, true);
  __falx_prefetch(f.data, 1, true);
  f.data[0] = static_cast<int>(__falx_cache_line_bytes());
}
}
