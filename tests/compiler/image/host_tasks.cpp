// Where accessors that may be placeholders lie in a host task's callable, also in a translation unit without kernels.
// RUN: %falxpp -O0 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %falxpp -O0 -S -emit-llvm %s -o - -DNONE | FileCheck %s --check-prefix NONE
#include <sycl/sycl.hpp>

// NONE-NOT: @falx.accessor_offsets
// CHECK: @falx.accessor_offsets = private constant [3 x i64] [i64 2, i64 8, i64 40]
// CHECK: define {{.*}}accessor_offsets{{.*}} {
// CHECK: ret ptr @falx.accessor_offsets
using accessor = sycl::accessor<int, 1, sycl::access_mode::read, sycl::target::host_task>;
static_assert(sizeof(accessor) == 32);

void run(sycl::handler& group, const accessor& a, accessor b) {
  struct holder {
    int number;
    accessor inside;
  };
#ifdef NONE
  group.host_task([&a, &b] { (void)(a[0] + b[0]); });
#else
  group.host_task([in = holder{1, a}, b, &a] { (void)(in.inside[0] + b[0] + a[0]); });
#endif
}
