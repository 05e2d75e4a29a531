// A kernel that several translation units instantiate has one hidden descriptor per program.
// RUN: %falxpp -O1 -S -emit-llvm %s -o - | FileCheck %s
#include "Inputs/kernel.hpp"

struct increment {
  int* p;
  void operator()() const { *p += 1; }
};

// CHECK: $[[NAME:falx.kernel._ZN6kernelI9incrementE5entryERKS0_]] = comdat any
// CHECK: @[[NAME]] = linkonce_odr hidden global { ptr, ptr, ptr, ptr } {{.*}}, comdat
void user(int* p) {
  run(increment{p});
}
