// Objects whose address tells which constant is meant: image metadata on one side, a table of addresses on the other.
// RUN: %falxpp -O2 -S -emit-llvm %s -o - | FileCheck %s
#include "Inputs/kernel.hpp"

struct specialization_id {
  int value;
};
static constexpr specialization_id internal{1};
inline constexpr specialization_id shared{2};
static constexpr specialization_id in_external_function{3};
static constexpr specialization_id on_host_only{4};

// CHECK-DAG: @falx.constants = private constant [3 x ptr] [ptr @_ZL20in_external_function, ptr @_ZL8internal, ptr @shared]
// CHECK-DAG: @falx.image = private constant {{.*}}_ZL20in_external_function\094\091\0A_ZL8internal\094\090\09{{.*}}entry{{.*}}\0Ashared\094\090\09
// CHECK-DAG: @falx.image_registration = internal global {{.*}} ptr @falx.constants, i64 3, ptr null, i64 0 }

EXTERNAL int external() {
  return static_cast<const specialization_id*>(__falx_specialization_constant(&in_external_function))->value;
}

static int read(const specialization_id* id) {
  return id->value;
}

int host() {
  return read(&on_host_only);
}

void user(int* p) {
  run([=] { p[0] = static_cast<const specialization_id*>(__falx_specialization_constant(&internal))->value; });
  run([=] { p[1] = static_cast<const specialization_id*>(__falx_specialization_constant(&shared))->value; });
}
