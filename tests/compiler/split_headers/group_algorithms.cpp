// RUN: %falxpp -std=c++17 -fsyntax-only -Wall -Wextra -Wpedantic -Werror %s
#include <sycl/khr/split_headers/group_algorithms.hpp>
static_assert(SYCL_KHR_SPLIT_HEADERS == 1);

template <class Group>
int value(const Group& g, int x, int* first, int* last, int* out) {
  sycl::joint_inclusive_scan(g, first, last, out, sycl::plus<>());
  sycl::joint_exclusive_scan(g, first, last, out, sycl::plus<>());
  const bool some = sycl::any_of_group(g, x > 0) || sycl::all_of_group(g, x > 0) || sycl::none_of_group(g, x > 0);
  const auto is_positive = [](int y) { return y > 0; };
  const bool joint = sycl::joint_any_of(g, first, last, is_positive) || sycl::joint_all_of(g, first, last, is_positive) ||
                     sycl::joint_none_of(g, first, last, is_positive);
  return sycl::group_broadcast(g, x) + sycl::reduce_over_group(g, x, sycl::plus<>()) + some + joint +
         sycl::joint_reduce(g, first, last, sycl::plus<>()) + sycl::shift_group_left(g, x) +
         sycl::shift_group_right(g, x) + sycl::permute_group_by_xor(g, x, 1) + sycl::select_from_group(g, x, 0) +
         sycl::exclusive_scan_over_group(g, x, sycl::plus<>()) + sycl::inclusive_scan_over_group(g, x, sycl::plus<>());
}
template int value<sycl::sub_group>(const sycl::sub_group&, int, int*, int*, int*);
