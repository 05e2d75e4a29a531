// Values and pointers that a kernel captures, by which launches can be recognised: numbers, booleans, enumerators,
// arrays and vectors of them, also in bases, members and arrays of structures, as offset,size; then the offsets of
// pointers. No padding, unions, bit-fields, long double, pointers to members or large arrays.
// RUN: %falxpp -O2 -S -emit-llvm %s -o - | FileCheck %s
#include "Inputs/kernel.hpp"

// CHECK: @falx.image = private constant
// CHECK-SAME: \090\09\09\090,1,8,8,16,4,20,1,24,12,48,12\0940\09plain\090\0A
// CHECK-SAME: \090\09\09\090,4,4,1,8,4,12,1,16,4,20,1\09\09in_structures\090\0A
// CHECK-SAME: \090\09\09\0952,2\09\09left_out\090\0A

enum class color { red };

int main() {
  struct plain {
    char c;
    double d;
    color e;
    bool b;
    int array[3];
    void* pointer; // at 40, as 36 would not be aligned
    float vector __attribute__((ext_vector_type(3)));
    void operator()() const {}
  };
  run(plain{});

  struct part {
    int number;
    bool flag;
  };
  struct in_structures : part {
    part each[2];
    void operator()() const {}
  };
  run(in_structures{});

  struct left_out {
    union {
      int i;
      float f;
    };
    int bits : 3;
    long double wide;
    int part::* member;
    int (*function_pointers[1])();
    unsigned _BitInt(9) odd;
    bool bools __attribute__((ext_vector_type(8)));
    short last;
    char large[65];
    void operator()() const {}
  };
  run(left_out{});
}
