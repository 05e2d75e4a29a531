// The user who starts a set-user-id program chooses neither the code that it runs nor the files that it writes.
// REQUIRES: set-user-id
// RUN: %falxpp -O1 %s -o %t.exe
// RUN: %clang -shared -fPIC %S/Inputs/intruder.cpp -o %t.intruder.so
// RUN: %python %S/Inputs/start_set_user_id.py %t.exe %t.intruder.so | FileCheck %s --implicit-check-not="intruder is in"
#include <falx/cache.hpp>
#include <falx/environment.hpp>
#include <sycl/sycl.hpp>

#include <cstdio>
#include <unistd.h>

int main() {
  try {
    sycl::queue queue(sycl::cpu_selector_v);
    int* values = sycl::malloc_shared<int>(64, queue);
    queue.parallel_for(64, [=](sycl::id<1> i) { values[i] = 3 * static_cast<int>(i[0]); }).wait();
    std::printf("user %d as %d: %d\n", int(getuid()), int(geteuid()), values[63]);
    sycl::free(values, queue);
  } catch (const sycl::exception& error) {
    std::printf("sycl::exception: %s\n", error.what());
  }
  int set = 0;
  falx::visit_environment_variables(
      [](void* data, const falx::environment_variable& each) { *static_cast<int*>(data) += each.is_set; }, &set);
  std::printf("variables that count: %s\n", set == 0 ? "none" : "some");
}
// The same variables are effective where no rights are gained.
// CHECK:      by its owner:
// CHECK-NEXT: the intruder is in
// CHECK:      sycl::exception: {{.*}}FALX_CUDA_DRIVER=
// CHECK-NEXT: variables that count: some
//
// CHECK-NEXT: by its owner, with a wrong value:
// CHECK-NEXT: sycl::exception: {{.*}}FALX_ADAPTIVITY=9 is wrong
// CHECK-NEXT: variables that count: some
//
// CHECK-NEXT: by nobody:
// CHECK-NEXT: user 65534 as 0: 189
// CHECK-NEXT: variables that count: none
// CHECK-NEXT: files written: [] complaints: ''
// CHECK-NEXT: by nobody, with a wrong value:
// CHECK-NEXT: user 65534 as 0: 189
// CHECK-NEXT: variables that count: none
// CHECK-NEXT: files written: [] complaints: ''
