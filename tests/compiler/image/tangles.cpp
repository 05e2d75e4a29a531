// Tangles need devices that have them; other parts of sub-groups do not. The fields before the name are aspects
// (two), values and pointers.
// RUN: %falxpp -std=c++17 -O2 -S -emit-llvm %s -o - | FileCheck %s
#include <sycl/sycl.hpp>

// CHECK: @falx.image = private constant
// CHECK-SAME: \09{{[0-9]+,[0-9]+}}\09{{[0-9,]*}}\09{{[0-9,]*}}\09entangles\09
// CHECK-SAME: \09\09{{[0-9,]*}}\09{{[0-9,]*}}\09splits\09

namespace oneapi = sycl::ext::oneapi::experimental;

void launch(sycl::queue queue, int* p) {
  queue.parallel_for<class entangles>(sycl::nd_range<1>(256, 128), [=](sycl::nd_item<1> item) {
    if (p[0])
      p[item.get_global_id(0)] =
          sycl::reduce_over_group(oneapi::get_tangle_group(item.get_sub_group()), 1, sycl::plus<>());
  });
  queue.parallel_for<class splits>(sycl::nd_range<1>(256, 128), [=](sycl::nd_item<1> item) {
    p[item.get_global_id(0)] = sycl::reduce_over_group(
        oneapi::get_ballot_group(item.get_sub_group(), p[0] == 0), 1, sycl::plus<>());
  });
}
