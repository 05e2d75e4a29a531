// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "falx/device_builtins.hpp"
#include "sycl/group_algorithms.hpp"

/// Kernels that call group functions as users' kernels do.

struct arguments {
  unsigned *in, *out;
  unsigned count;
};

static auto work_group() {
  return sycl::detail::index_access::make<sycl::group<1>>(false);
}
static auto sub_group() {
  return sycl::detail::index_access::make<sycl::sub_group>(0);
}

extern "C" {
void joint_sum(const arguments& f) {
  f.out[__falx_global_id_x()] = sycl::joint_reduce(work_group(), f.in, f.in + 1000, sycl::plus<unsigned>());
}
void joint_scan(const arguments& f) {
  sycl::joint_inclusive_scan(work_group(), f.in, f.in + f.count, f.out, sycl::plus<unsigned>());
}
void scan_and_sum(const arguments& f) {
  sycl::joint_inclusive_scan(work_group(), f.in, f.in + 200, f.out, sycl::plus<unsigned>());
  f.in[__falx_global_id_x()] = sycl::joint_reduce(work_group(), f.out, f.out + 200, sycl::plus<unsigned>());
}
void sum_of_values(const arguments& f) {
  const auto i = __falx_global_id_x();
  f.out[i] = sycl::reduce_over_group(work_group(), f.in[i], sycl::plus<unsigned>());
}
void any_and_all(const arguments& f) {
  const auto i = __falx_global_id_x();
  const bool any = sycl::any_of_group(work_group(), f.in[i] == 1);
  f.out[i] = any ? sycl::all_of_group(work_group(), f.in[i] == 1) : 2;
}
void permutations(const arguments& f) {
  const auto i = __falx_global_id_x();
  unsigned value = f.in[i];
  for (unsigned distance = 16; distance > 0; distance /= 2)
    value += sycl::permute_group_by_xor(sub_group(), value, distance);
  f.out[i] = value;
}
}
