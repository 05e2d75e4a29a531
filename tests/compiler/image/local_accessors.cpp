// Kernels that capture local accessors say so, behind their names: those without work-groups are then refused. An
// accessor that lies beside a kernel is not its own.
//
// RUN: %falxpp -O2 -S -emit-llvm %s -o - | FileCheck %s
#include <sycl/sycl.hpp>

// CHECK: @falx.image = private constant
// CHECK-SAME: \09captures_one\091\0A
// CHECK-SAME: \09captures_one_in_an_array\091\0A
// CHECK-SAME: \09captures_none\090\0A
class captures_one;
class captures_one_in_an_array;
class captures_none;

void launch(sycl::handler& group, int* out) {
  const sycl::local_accessor<int> one(4, group);
  const std::array<sycl::local_accessor<int, 2>, 2> two;
  group.parallel_for<captures_one>(sycl::nd_range<1>(4, 4), [=](sycl::nd_item<1>) { one[0] = 1; });
  group.parallel_for<captures_one_in_an_array>(sycl::nd_range<1>(4, 4), [=](sycl::nd_item<1>) { two[1][0][0] = 1; });
  group.single_task<captures_none>([=] { *out = 1; });
}
