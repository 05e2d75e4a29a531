// Specialization constants across translation units: equal names of internal linkage are different constants, an
// inline variable is the same one everywhere, and functions of other files read the values of this launch. Kernels
// of other files have their names.
// RUN: %falxpp -O2 -c %S/Inputs/specialization_constants_other.cpp -o %t.other.o
// RUN: %falxpp -O0 -I%S/Inputs %s %t.other.o -o %t.program
// RUN: env FALX_CACHE_DIR=%t.cache %t.program | FileCheck %s
// Once more, with all kernels out of the cache.
// RUN: env FALX_CACHE_DIR=%t.cache %t.program | FileCheck %s
// RUN: %falxpp -O2 -fPIC -shared %S/Inputs/specialization_constants_other.cpp -o %t.so
// RUN: %falxpp -O2 -I%S/Inputs %s %t.so -o %t.linked
// RUN: env FALX_CACHE_DIR=%t.cache %t.linked | FileCheck %s
#include "specialization_constants.hpp"

#include <cstdio>

static constexpr sycl::specialization_id<int> own(3);

template <class Set>
int run(sycl::queue& queue, int* result, const Set& set) {
  queue
      .submit([&](sycl::handler& group) {
        set(group);
        group.single_task(
            [=](sycl::kernel_handler handler) { *result = handler.get_specialization_constant<own>() * 1000 + read_other(handler); });
      })
      .wait();
  return *result;
}

int main() {
  sycl::queue queue;
  int* result = sycl::malloc_shared<int>(1, queue);
  // CHECK: defaults 3120
  std::printf("defaults %d\n", run(queue, result, [](sycl::handler&) {}));
  // CHECK: this file's 4120
  std::printf("this file's %d\n", run(queue, result, [](sycl::handler& group) { group.set_specialization_constant<own>(4); }));
  // CHECK: the other file's 3130
  std::printf("the other file's %d\n", run(queue, result, [](sycl::handler& group) { set_other(group, 30); }));
  // CHECK: shared 3220
  std::printf("shared %d\n", run(queue, result, [](sycl::handler& group) { group.set_specialization_constant<shared>(200); }));
  // CHECK: all 5640
  std::printf("all %d\n", run(queue, result, [](sycl::handler& group) {
                group.set_specialization_constant<own>(5);
                group.set_specialization_constant<shared>(600);
                set_other(group, 40);
              }));

  auto bundle = sycl::get_kernel_bundle<defined_elsewhere, sycl::bundle_state::input>(queue.get_context());
  // CHECK: bundle 1 1 0
  std::printf("bundle %d %d %d\n", bundle.has_kernel<defined_elsewhere>(), bundle.has_specialization_constant<shared>(),
              bundle.has_specialization_constant<own>());
  launch_elsewhere(queue, result);
  // CHECK: elsewhere 120
  std::printf("elsewhere %d\n", *result);
  sycl::free(result, queue);
}
