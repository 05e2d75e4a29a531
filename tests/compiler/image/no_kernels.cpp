// Nothing is added to a translation unit without device code.
// RUN: %falxpp -O2 -S -emit-llvm %s -o - | FileCheck %s
#include "Inputs/kernel.hpp"

// CHECK-NOT: falx.image
// CHECK: define {{.*}} @_Z5plaini
int plain(int x) {
  return x + 1;
}
