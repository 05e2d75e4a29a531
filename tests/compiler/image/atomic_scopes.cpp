// Atomic operations keep their scopes in the device image only: on the host they cost nothing.
// RUN: %falxpp -O0 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %falxpp -O0 -DKERNEL -S -emit-llvm %s -o - | FileCheck %s
// RUN: %falxpp -O2 -fdiscard-value-names -S -emit-llvm %s -o - | FileCheck %s --check-prefix=OPTIMISED
#include "Inputs/kernel.hpp"

int add(int* p) {
  return __atomic_fetch_add(static_cast<int*>(__falx_atomic_scope(p, 3)), 1, __ATOMIC_RELAXED);
}

#ifdef KERNEL
void user(int* p) {
  run([=] { add(p); });
}
#endif

// CHECK-LABEL: define {{.*}} @_Z3addPi(
// CHECK-NOT: call
// CHECK: atomicrmw add ptr
// CHECK-NOT: call {{.*}}@__falx_atomic_scope

// OPTIMISED-LABEL: define {{.*}} @_Z3addPi(
// OPTIMISED-NEXT: %{{.*}} = atomicrmw add ptr %0, i32 1 monotonic
