// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dimensions that there are not: a warning where user's code asks for them, not where a constant condition keeps it
// from doing so, as in templates for any number of dimensions.
// RUN: %falxpp -O0 -fsyntax-only -Xclang -verify %s
// RUN: %falxpp -O0 -fsyntax-only -Werror -Wno-nonportable-sycl %s
#include <sycl/sycl.hpp>

template <int Dimensions>
std::size_t last(sycl::id<Dimensions> i) {
  return Dimensions == 3 ? i[2] : Dimensions == 2 ? i[1] : i[0];
}
template <int Dimensions>
std::size_t by_branch(sycl::item<Dimensions> i) {
  if (Dimensions == 1)
    return i.get_id(0);
  return i.get_id(1);
}
template <int Dimensions>
std::size_t by_case(sycl::item<Dimensions> i) {
  switch (Dimensions) {
  case 1: return i[0];
  default: return i[1];
  }
}
template <int Dimensions>
std::size_t by_condition(sycl::range<Dimensions> r) {
  std::size_t n = r[0];
  if (Dimensions > 1 && r[1] > 3)
    n *= r[1];
  for (int d = 0; d < Dimensions; ++d)
    n += r.get(d);
  return n;
}

/// A case behind a return is reached from the switch.
std::size_t behind_return(sycl::item<1> i, int which) {
  switch (which) {
  case 0: return i[0];
  case 1:
    which += 1;
    return which;
  case 2: return i[1]; // expected-warning {{'sycl::item<>::operator[]' is asked for dimension 1}}
  }
  return 0;
}

void helper(sycl::nd_item<1>& item, std::size_t* p) {
  p[0] = item.get_local_range(2); // expected-warning {{'sycl::nd_item<>::get_local_range' is asked for dimension 2; they count from 0, and there is 1, so that any value may come}}
}

void run(sycl::queue& queue, std::size_t* p) {
  queue.parallel_for(sycl::range<1>(8), [=](sycl::item<1> i) { // expected-note {{in kernel}}
    p[i] = last(i.get_id()) + by_branch(i) + by_case(i) + by_condition(i.get_range()) + behind_return(i, 2);
  });
  queue.parallel_for(sycl::range<3>(1, 2, 8), [=](sycl::item<3> i) {
    p[i[2]] = last(i.get_id()) + by_branch(i) + by_case(i) + by_condition(i.get_range());
  });
  queue.parallel_for(sycl::nd_range<1>(8, 4), [=](sycl::nd_item<1> i) { // expected-note 4 {{in kernel}}
    helper(i, p);
    p[1] = i.get_group(1); // expected-warning {{'sycl::nd_item<>::get_group' is asked for dimension 1}}
    p[2] = i.get_global_id()[-1]; // expected-warning {{'sycl::id<>::operator[]' is asked for dimension -1}}
    constexpr int two = 2;
    p[3] = i.get_group().get_local_range().get(two); // expected-warning {{'sycl::range<>::get' is asked for dimension 2}}
  });
  queue.parallel_for(sycl::nd_range<2>({8, 4}, {1, 1}), [=](sycl::nd_item<2> i) { // expected-note {{in kernel}}
    p[i.get_local_id(1)] = i.get_global_id(2); // expected-warning {{'sycl::nd_item<2>::get_global_id' is asked for dimension 2; they count from 0, and there are 2, so that any value may come}}
  });
}
