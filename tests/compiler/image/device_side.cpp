// What goes into the image: kernels under their names, everything convergent, no exceptions, no host attributes.
// RUN: %falxpp -O0 -fsanitize=undefined -c %s -o %t.o
// RUN: llvm-objcopy --dump-section .llvm.offloading=%t.image %t.o
// RUN: llvm-offload-binary %t.image --image=file=%t.bc,producer=falx
// RUN: llvm-dis %t.bc -o - | FileCheck %s
// RUN: llvm-dis %t.bc -o - | FileCheck %s --check-prefix=ABSENT
// RUN: llvm-objdump --offloading %t.o | FileCheck %s --check-prefix=IMAGE
// RUN: strings -n 4 %t.image | FileCheck %s --check-prefix=METADATA
#include "Inputs/kernel.hpp"

#include <array>

// IMAGE: kind llvm ir
// IMAGE: arch generic
// IMAGE: producer {{sycl|falx}}

// METADATA-DAG: falx.kernels
// METADATA-DAG: falx.sha256
// METADATA-DAG: falx.exports
// METADATA-DAG: _Z8exportedi

// ABSENT-NOT: __ubsan
// ABSENT-NOT: invoke
// ABSENT-NOT: landingpad
// ABSENT-NOT: personality
// ABSENT-NOT: __throw_out_of_range
// ABSENT-NOT: optnone
// ABSENT-NOT: "target-cpu"

// CHECK-DAG: define weak_odr void @"{{.*}}entry{{.*}}"
// CHECK-DAG: c"device code does not throw std::out_of_range\00"
// CHECK-DAG: call void @__assert_fail(ptr
// CHECK-DAG: define {{.*}}i32 @_Z8exportedi
// CHECK-DAG: declare void @__falx_work_group_barrier() [[CONVERGENT:#[0-9]+]]
// CHECK-DAG: attributes [[CONVERGENT]] = { convergent

EXTERNAL int exported(int x) {
  return x * 2;
}

struct destroyed {
  ~destroyed() {}
  int value;
};

void user(int* p) {
  std::array<int, 4> table{1, 2, 3, 4};
  run([=] {
    destroyed d{3};
    p[0] = table.at(__falx_global_id_x()) + d.value;
    __falx_work_group_barrier();
    p[1] = exported(p[0]);
  });
}
