// Device globals: declarations in the device code, metadata in the image, a table of addresses in the host object.
// RUN: %falxpp -O2 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %falxpp -O2 -c %s -o %t.o
// RUN: llvm-objcopy --dump-section .llvm.offloading=%t.image %t.o
// RUN: llvm-offload-binary %t.image --image=file=%t.bc,arch=generic
// RUN: llvm-dis %t.bc -o - | FileCheck %s --check-prefix=DEVICE
// RUN: %falxpp -O2 -DNO_KERNELS -S -emit-llvm %s -o - | FileCheck %s --check-prefix=ALONE
// RUN: %falxpp -O2 -DONLY_DECLARED -S -emit-llvm %s -o - | FileCheck %s --check-prefix=DECLARED
#include "Inputs/kernel.hpp"

namespace sycl::ext::oneapi::experimental {
struct device_image_scope_key;
template <class Key>
struct property_value {};
template <class... Values>
struct property_values {};
template <class Values>
struct properties {};
template <class T, class Properties = properties<property_values<>>>
struct __attribute__((annotate("falx.device_global"))) device_global {
  T value;
};
} // namespace sycl::ext::oneapi::experimental
using namespace sycl::ext::oneapi::experimental;

extern EXTERNAL device_global<char> elsewhere;
extern device_global<long> only_copied;
void copy(void*);
void host() {
  copy(&only_copied);
}

#ifndef ONLY_DECLARED
static device_global<int> internal{3};
inline device_global<double[4]> shared;
device_global<int, properties<property_values<property_value<device_image_scope_key>>>> scoped;
EXTERNAL device_global<short> unused{{5}};
#endif

#if !defined(NO_KERNELS) && !defined(ONLY_DECLARED)
EXTERNAL int external() {
  return internal.value;
}
void user() {
  run([] { internal.value = elsewhere.value; });
  run([] { shared.value[2] = scoped.value; });
}
#endif

// CHECK-DAG: @falx.device_globals = private constant [5 x ptr] [ptr @_ZL8internal, ptr @elsewhere, ptr @scoped, ptr @shared, ptr @unused]
// CHECK-DAG: @falx.image = private constant {{.*}}_ZL8internal\094\094\090\091\09{{[^\\]*}}entry{{[^\\]*}}\0Aelsewhere\091\091\090\090\09{{[^\\]*}}entry{{[^\\]*}}\0Ascoped\094\094\091\090\09{{[^\\]*}}entry{{[^\\]*}}\0Ashared\0932\09{{8|16}}\090\090\09{{[^\\]*}}entry{{[^\\]*}}\0Aunused\092\092\090\090\0A
// CHECK-DAG: @falx.image_registration = internal global {{.*}} ptr @falx.device_globals, i64 5 }
// CHECK-DAG: @_ZL8internal = internal global {{.*}} i32 3
// CHECK-DAG: @unused = {{.*}} i16 5

// What the host's object holds is not the value on devices.
// DEVICE-DAG: @_ZL8internal = external {{.*}}global
// DEVICE-DAG: @shared = external {{.*}}global
// DEVICE-DAG: @elsewhere = external {{.*}}global
// DEVICE-NOT: @unused
// DEVICE: load i32, ptr @_ZL8internal

// Variables without kernels are registered, too: other translation units have kernels.
// ALONE-DAG: @falx.device_globals = private constant [2 x ptr] [ptr @scoped, ptr @unused]
// ALONE-DAG: call void @falx_register_image

// DECLARED-NOT: falx.image
