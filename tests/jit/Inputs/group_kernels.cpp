// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "falx/device_builtins.hpp"

struct arguments {
  int* out;
  int* more;
  int count;
};

/// What sycl::group::parallel_for_work_item does.
template <class Function>
void for_work_items(const Function& function) {
  __falx_work_items_begin();
  for (auto i = __falx_work_items_first_x(); i < __falx_local_range_x(); i += __falx_work_items_step_x())
    function(int(i));
  __falx_work_items_end();
}

extern "C" {
/// A variable that work-items write is shared, one that only the group's code writes is not.
void group_variables(const arguments& a) {
  int shared[64];
  int own = a.count;
  for_work_items([&](int i) { shared[i] = i + own; });
  own += 3;
  for_work_items([&](int i) { a.out[i] = shared[63 - i] + own; });
}
/// The group's code writes once, also in its loops, and hands results out.
void group_effects(const arguments& a) {
  for (int i = 0; i < a.count; ++i)
    a.out[i] = i;
  const int before = __atomic_fetch_add(a.more, 1, __ATOMIC_RELAXED);
  for_work_items([&](int i) { a.out[i] += before; });
}
/// A variable written by one work-item and read by the group.
void group_result(const arguments& a) {
  int found = 0;
  for_work_items([&](int i) {
    int mine[4] = {a.out[i], 1, 2, 3};
    mine[a.count & 3] += i;
    if (mine[0] + mine[1] == a.count)
      found = i;
  });
  if (found != 0)
    for_work_items([&](int i) { a.more[i] = found; });
}
void group_memory(const arguments& a) {
  int* items = static_cast<int*>(__falx_work_group_alloc(sizeof(int) * __falx_local_range_x()));
  for_work_items([&](int i) { items[i] = i; });
  for_work_items([&](int i) { a.out[i] = items[63 - i]; });
}
}
