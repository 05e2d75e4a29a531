// Variables that are restricted pointers promise what restricted parameters do; those that are assigned to, or whose
// pointers go elsewhere, do not, nor do those of inner blocks.
// RUN: %falxpp -O2 -c %s -o %t.o
// RUN: llvm-objcopy --dump-section .llvm.offloading=%t.image %t.o
// RUN: llvm-offload-binary %t.image --image=file=%t.bc,producer=falx
// RUN: llvm-dis %t.bc -o - | FileCheck %s --implicit-check-not=llvm.var.annotation
// RUN: %falxpp -O2 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=HOST --implicit-check-not=llvm.var.annotation
#include "Inputs/kernel.hpp"

// CHECK-LABEL: define {{.*}} @_Z8followedPfS_S_(
// CHECK-COUNT-2: call void @llvm.experimental.noalias.scope.decl(
// CHECK: load float, ptr {{.*}}, !alias.scope [[IN:![0-9]+]], !noalias [[OUT:![0-9]+]]
// CHECK: load float, ptr {{.*}}, !noalias [[BOTH:![0-9]+]]
// CHECK: store float {{.*}}, !alias.scope [[OUT]], !noalias [[IN]]
// CHECK: ret void
// HOST-LABEL: define {{.*}} @_Z8followedPfS_S_(
EXTERNAL void followed(float* a, float* b, float* c) {
  const float* __restrict__ in = a;
  float *__restrict__ out = b, *other = c;
  out[1] = in[2] + *other;
}

// CHECK-LABEL: define {{.*}} @_Z12not_followedPfS_S_(
// CHECK-NOT: noalias
// CHECK: ret void
EXTERNAL void not_followed(float* a, float* b, float* c) {
  float* __restrict__ handed_on = a;
  float* rest = handed_on + 1;
  *rest = *b;
  float* __restrict__ assigned = b;
  assigned = c;
  *assigned = *a;
  {
    float* __restrict__ inner = c;
    *inner = *a;
  }
}

int main() {
  run([] {});
}
