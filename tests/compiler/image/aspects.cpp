// What kernels need of their devices: what device_has lists, asynchronous barriers in code that they reach, and what
// functions on the way list, which may be defined elsewhere. The fields before the pretty name are sub-group size, specialised parts,
// aspects, values and pointers.
// RUN: %falxpp -O2 -S -emit-llvm %s -o - | FileCheck %s
#include "Inputs/kernel.hpp"

// CHECK: @falx.image = private constant
// CHECK-SAME: \090\09\09\09{{[0-9,]*}}\09{{[0-9,]*}}\09uses_none\090\0A
// CHECK-SAME: \090\09\096\09{{[0-9,]*}}\09{{[0-9,]*}}\09calls_function\090\0A
// CHECK-SAME: \090\09\091,6\09{{[0-9,]*}}\09{{[0-9,]*}}\09lists_two\090\0A
// CHECK-SAME: \090\09\0932\09{{[0-9,]*}}\09{{[0-9,]*}}\09reaches_a_barrier\090\0A
// CHECK-SAME: \090\09\097\09{{[0-9,]*}}\09{{[0-9,]*}}\09calls_elsewhere\090\0A
// CHECK-SAME: \090\09\0932\09{{[0-9,]*}}\09{{[0-9,]*}}\09lists_what_it_reaches\090\0A

namespace sycl {
enum class aspect { cpu, gpu, fp16 = 6, fp64, ext_oneapi_cuda_async_barrier = 32 };
}

[[sycl::device_has(sycl::aspect::fp64)]] EXTERNAL double elsewhere(double);
[[sycl::device_has(sycl::aspect::fp16)]] static int defined_here() {
  return 3;
}

static void arrive(std::uint64_t* barrier) {
  __falx_async_barrier_arrive(barrier);
}

int main() {
  int* p = nullptr;
  struct uses_none {
    int* p;
    void operator()() const { *p = 2; }
  };
  run(uses_none{p});
  struct calls_function {
    int* p;
    void operator()() const { *p = defined_here(); }
  };
  run(calls_function{p});
  struct lists_two {
    [[sycl::device_has(sycl::aspect::fp16, sycl::aspect::gpu, sycl::aspect::gpu)]] void operator()() const {}
  };
  run(lists_two{});
  struct reaches_a_barrier {
    int* p;
    void operator()() const { arrive(reinterpret_cast<std::uint64_t*>(p)); }
  };
  run(reaches_a_barrier{p});
  struct calls_elsewhere {
    int* p;
    void operator()() const { *p = static_cast<int>(elsewhere(*p)); }
  };
  run(calls_elsewhere{p});
  struct lists_what_it_reaches {
    int* p;
    [[sycl::device_has(sycl::aspect::ext_oneapi_cuda_async_barrier)]] void operator()() const {
      arrive(reinterpret_cast<std::uint64_t*>(p));
    }
  };
  run(lists_what_it_reaches{p});
}
