// What lies in captured objects of marked classes, without padding: nested, in arrays, in bases, in several lambdas.
// RUN: %falxpp -O2 -S -emit-llvm %s -o - | FileCheck %s
#include "Inputs/kernel.hpp"

template <class T>
struct __attribute__((annotate("falx.specialize"))) constant {
  T value;
};
struct padded {
  char c;
  double d;
  short s;
  int a : 3, b : 7;
};
struct outer : constant<int> {
  long other;
  constant<float> each[3];
};
union either {
  int i;
  double d;
};

// Bytes 0 to 7 are a pointer. padded: c at 0, d at 8, s at 16 and the bit-fields from 18 on.
// CHECK-DAG: @falx.image = private constant {{.*}}\090\098,1,16,12\09{{.*}}\090\098,4,24,12\09{{.*}}\090\098,16\09
void user(int* p, constant<padded> x, outer y, constant<either> z, constant<int*> q) {
  run([=] { p[0] = x.value.c; });
  run([=] { p[0] = y.value; });
  run([=] { p[0] = z.value.i + *q.value; });
}
