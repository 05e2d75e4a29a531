// Kernels that are compiled ahead of time: the program runs without libfalx-jit.so and without a cache.
//
// RUN: rm -rf %t && mkdir -p %t/lib && cp -d %build/lib/libfalx.so* %t/lib
// RUN: %falxpp -O1 --aot=native,x86-64 -c %s -o %t/main.o && %falxpp -O1 -DFALX_TEST_OTHER --aot=native -c %s -o %t/other.o
//
// A file that calls functions of another is compiled when both are linked.
// RUN: falx-info %t/main.o | FileCheck %s --check-prefix=OBJECT
// OBJECT: carries 1 device image, for any device
// OBJECT: No kernel is compiled ahead of time
//
// Another object's image has all that it needs.
// RUN: falx-info %t/other.o | FileCheck %s --check-prefix=OTHER
// OTHER: basic_range_of_other for native: sub-groups of {{[0-9]+}}, {{.*}}B, used
//
// RUN: %falxpp --aot=native,x86-64 %t/main.o %t/other.o -o %t/program
// RUN: falx-info %t/program | FileCheck %s --check-prefix=PROGRAM
// PROGRAM: carries 2 device images
// PROGRAM-DAG: basic_range for native
// PROGRAM-DAG: basic_range for x86-64:
// PROGRAM-DAG: of_two_files for native
// PROGRAM-DAG: eight_wide for x86-64: work-groups of 16x1x1, sub-groups of 8
//
// RUN: env LD_LIBRARY_PATH=%t/lib FALX_DEVICE_SELECTOR=cpu FALX_CACHE_DIR=/proc/none %t/program | FileCheck %s --check-prefix=ALONE
// RUN: env LD_LIBRARY_PATH=%t/lib FALX_DEVICE_SELECTOR=cpu FALX_CACHE_DIR= FALX_CPU=x86-64 %t/program | FileCheck %s --check-prefix=ALONE
// ALONE: 0 compilations
// ALONE: specialised: {{.*}}kernels cannot be compiled: {{.*}}falx-info PROGRAM
//
// With another sub-group size than the code has, or where it is not wanted, kernels are compiled.
// RUN: env FALX_DEVICE_SELECTOR=cpu FALX_CACHE_DIR= FALX_SIMD=2 %t/program | FileCheck %s --check-prefix=COMPILED
// RUN: env FALX_DEVICE_SELECTOR=cpu FALX_CACHE_DIR= FALX_AOT=off %t/program | FileCheck %s --check-prefix=COMPILED
// COMPILED: {{[1-9][0-9]*}} compilations
// COMPILED: specialised: 12
//
// What cannot be is an error that names the target, and those there are.
// RUN: not %falxpp --aot=native,pentium -c %s -o %t/none.o 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: kernels cannot be compiled ahead of time for 'pentium'; there are native, x86-64, {{.*}}sm_90
//
// A damaged bundle is none.
// RUN: sed 's/falx kernels 1/falx kernels 9/' %t/program > %t/damaged && chmod +x %t/damaged
// RUN: env FALX_DEVICE_SELECTOR=cpu FALX_CACHE_DIR= %t/damaged | FileCheck %s --check-prefix=COMPILED
//
// A shared library carries its own.
// RUN: %falxpp -O1 -DFALX_TEST_OTHER --aot=native -fPIC -shared %s -o %t/lib/libother.so && falx-info %t/lib/libother.so | FileCheck %s --check-prefix=OTHER
//
// And PTX for GPUs, with and without what is known of blocks.
// RUN: %falxpp -O1 -DFALX_TEST_OTHER --aot=sm_90 -c %s -o %t/gpu.o && falx-info %t/gpu.o | FileCheck %s --check-prefix=GPU
// GPU-DAG: basic_range_of_other for sm_90: work-groups of 256x1x1, indices below 2^31, no offset
// GPU-DAG: basic_range_of_other for sm_90: indices below 2^31, no offset
#include <sycl/sycl.hpp>

#include "falx/cache.hpp"

#include <cstdio>
#include <cstdlib>

SYCL_EXTERNAL int twice(int value);

#ifdef FALX_TEST_OTHER

class basic_range_of_other;

SYCL_EXTERNAL int twice(int value) {
  return 2 * value;
}

void run_other(sycl::queue& q, int* p) {
  q.parallel_for<basic_range_of_other>(64, [=](sycl::id<1> i) { p[i] += 1; }).wait();
}

#else

void run_other(sycl::queue& q, int* p);

class basic_range;
class two_dimensions;
class groups;
class eight_wide;
class single;
class of_two_files;
class specialised;

constexpr sycl::specialization_id<int> FACTOR{3};

void check(bool is_right, const char* what) {
  if (!is_right) {
    std::printf("%s is wrong\n", what);
    std::exit(1);
  }
}

int main() {
  sycl::queue q;
  int* p = sycl::malloc_shared<int>(64, q);
  const auto number = [=](sycl::id<1> i) { p[i] = int(i); };
  q.parallel_for<basic_range>(64, number).wait();
  check(p[63] == 63, "a range");
  q.parallel_for<two_dimensions>(sycl::range(8, 8), [=](sycl::item<2> i) { p[i.get_linear_id()] += int(i[0]); })
      .wait();
  check(p[63] == 70, "a range of two dimensions");
  for (const std::size_t size : {8, 16, 64}) {
    q.parallel_for<basic_range>(64, number).wait();
    q.submit([&](sycl::handler& h) {
       sycl::local_accessor<int> local(size, h);
       h.parallel_for<groups>(sycl::nd_range<1>(64, size), [=](sycl::nd_item<1> i) {
         const std::size_t id = i.get_local_id(0), last = i.get_local_range(0) - 1;
         local[id] = p[i.get_global_id(0)];
         sycl::group_barrier(i.get_group());
         p[i.get_global_id(0)] = local[last - id];
       });
     }).wait();
    check(p[0] == int(size) - 1 && p[63] == 64 - int(size), "groups");
  }
  q.parallel_for<eight_wide>(sycl::nd_range<1>(64, 16),
                             [=](sycl::nd_item<1> i) [[sycl::reqd_sub_group_size(8), sycl::reqd_work_group_size(16)]] {
                               p[i.get_global_id(0)] = int(i.get_sub_group().get_max_local_range()[0]);
                             })
      .wait();
  check(p[20] == 8, "a sub-group size");
  q.single_task<single>([=] { p[0] = 5; }).wait();
  q.parallel_for<of_two_files>(64, [=](sycl::id<1> i) { p[i] = twice(p[i]); }).wait();
  check(p[0] == 10 && p[1] == 16, "a function of another file");
  run_other(q, p);
  const auto factor = [=](sycl::kernel_handler k) { *p = k.get_specialization_constant<FACTOR>(); };
  check(p[0] == 11, "another file");
  q.submit([&](sycl::handler& h) {
     h.single_task<specialised>(factor);
   }).wait();
  check(p[0] == 3, "the default of a specialization constant");
  std::printf("%llu compilations\n", static_cast<unsigned long long>(falx::jit_compilations()));

  // Another value is another code.
  try {
    q.submit([&](sycl::handler& h) {
       h.set_specialization_constant<FACTOR>(12);
       h.single_task<specialised>(factor);
     }).wait();
    std::printf("specialised: %d\n", *p);
  } catch (const sycl::exception& error) {
    std::printf("specialised: %s\n", error.what());
  }
}

#endif
