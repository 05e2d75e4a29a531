// Of a function for both sides, each keeps its own, at any -O level and whatever the condition is made of.
// RUN: %falxpp -O0 -c %s -o %t.o && llvm-nm %t.o | FileCheck %s --check-prefix=HOST
// RUN: %falxpp -O2 -c %s -o %t.o && llvm-nm %t.o | FileCheck %s --check-prefix=HOST
// RUN: llvm-objcopy --dump-section .llvm.offloading=%t.image %t.o
// RUN: llvm-offload-binary %t.image --image=file=%t.bc,producer=falx
// RUN: llvm-dis %t.bc -o - | FileCheck %s
#include <sycl/sycl.hpp>

SYCL_EXTERNAL int on_device(int);
int on_host(int);

// HOST-NOT: is_device
// HOST: on_hosti
// HOST-NOT: is_device
// CHECK-NOT: @__falx_is_device
// CHECK-NOT: on_host
// CHECK-DAG: define {{.*}}shared
// CHECK-DAG: declare {{.*}}on_device
SYCL_EXTERNAL int shared(int n) {
  __acpp_if_target_device(n = on_device(n);)
  __acpp_if_target_host(n = on_host(n);)
  if (n > 3 && !__falx_is_device())
    n += on_host(1);
  if (n > 100) {
    if (!(__falx_is_device() || n == 7))
      n = on_host(n);
  }
  const int more = __falx_is_device() ? on_device(2) : on_host(2);
  return n + more;
}
