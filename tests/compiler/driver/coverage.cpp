// Coverage and profiles of host code, where kernels lie between its functions and some functions are never called.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %falxpp -fprofile-instr-generate -fcoverage-mapping %s -o program
// RUN: env LLVM_PROFILE_FILE=%t/raw ./program
// RUN: llvm-profdata merge raw -o data
// RUN: llvm-cov show ./program -instr-profile=data %s | FileCheck %s
// RUN: %falxpp -O2 -Wall -Werror -fprofile-instr-use=data %s -o optimised
// RUN: ./optimised
#include <sycl/sycl.hpp>

// CHECK: [[#]]|      0|inline int never_called()
inline int never_called() {
  return 1;
}
int only_in_kernel(int x) {
  return x + 1;
}
// CHECK: [[#]]|      1|int main() {
int main() {
  sycl::queue queue;
  int* value = sycl::malloc_shared<int>(1, queue);
  // CHECK: [[#]]|      3|  for ({{.*}}
  for (*value = 0; *value < 2;)
    queue.single_task([=] { *value = only_in_kernel(*value); }).wait();
  sycl::free(value, queue);
}
