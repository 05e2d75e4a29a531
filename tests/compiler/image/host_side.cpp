// What stays in the host object: image, registration, descriptor; no kernel body and nothing only kernels call.
// RUN: %falxpp -O0 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %falxpp -O2 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %falxpp -O2 -g -S -emit-llvm %s -o - | FileCheck %s
#include "Inputs/kernel.hpp"

// CHECK-DAG: @falx.image = private constant {{.*}} section ".llvm.offloading", align 8
// CHECK-DAG: @falx.image_registration = internal global { i64, ptr, ptr, ptr, ptr, ptr, i64, ptr, i64, ptr, i64 } { i64 {{[0-9]+}}, ptr @falx.image, {{.*}}, ptr null, ptr null, ptr @falx.kernels, i64 1, ptr null, i64 0, ptr null, i64 0 }
// CHECK-DAG: @falx.kernels = private constant [1 x ptr] [ptr @"falx.kernel.{{.*}}entry{{.*}}"]
// CHECK-DAG: @llvm.global_ctors = {{.*}} i32 101, ptr @falx.register_image
// CHECK-DAG: @llvm.global_dtors = {{.*}} i32 101, ptr @falx.unregister_image
// CHECK-DAG: @"falx.kernel.{{.*}}entry{{.*}}" = internal global { ptr, ptr, ptr, ptr } { ptr @falx.kernel_name{{.*}}, ptr @falx.image_registration, ptr null, ptr null }
// CHECK-DAG: @falx.imports = private constant [1 x ptr] [ptr @_Z11defined_farv]
// CHECK: call void @_Z6launch{{.*}}@"falx.kernel.
// CHECK-NOT: falx_kernel_descriptor_of
// CHECK-NOT: __falx_global_id_x
// CHECK-NOT: only_in_kernels

static std::size_t only_in_kernels() {
  return __falx_global_id_x();
}
EXTERNAL int defined_far();

void user(int* p) {
  run([=] { p[only_in_kernels()] = defined_far(); });
}
