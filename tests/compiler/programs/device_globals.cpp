// Device globals of several translation units and of a library that is loaded again and again; initial values.
// RUN: %falxpp -O2 -fPIC -shared %S/Inputs/device_globals_library.cpp -o %t.library.so
// RUN: %falxpp -O2 -c %S/Inputs/device_globals_other.cpp -o %t.other.o
// RUN: rm -f %t.a && llvm-ar rcs %t.a %t.other.o
// RUN: %falxpp -O0 -g -rdynamic %s %t.a -o %t.0 && %t.0 %t.library.so | FileCheck %s
// RUN: %falxpp -O2 -rdynamic -std=c++20 %s %t.a -o %t.2 && %t.2 %t.library.so | FileCheck %s --check-prefixes=CHECK,INITIAL
// RUN: not %falxpp -O2 %s -o %t.none 2>&1 | FileCheck %s --check-prefix=UNDEFINED
#include "Inputs/device_globals.hpp"

#include <dlfcn.h>

#include <cstdio>

static device_global<int> own;
static scoped_int copied_only;

#if __cpp_consteval
// The document's examples.
device_global<int> no_device_image_dg{3};
device_global<int, decltype(properties(device_image_scope))> dg_int{5};
device_global<int[3]> dg_int_arr{5, 2, 3};
device_global<char[3]> dg_char_arr{'d', '4', 'S'};
device_global<int[3][2]> dg_multi_dim_arr{3, 4, 5, 6, 7, 8};
device_global<float[6]> dg_float_arr{4.5, 2.1, 3.5, 9.33, 2.33, 2.1};
device_global<double> dg_double{3.56543};
device_global<bool[3]> dg_bool_arr{true, false, true};
struct TestStruct {
  int field1;
  bool field2;
  float field3;
  int field4[4];
};
constexpr TestStruct TS1(5, true, 2.1f, {1, 2, 3, 4});
constexpr TestStruct TS2(7, false, 2.4f, {1, 2, 3, 4});
device_global<TestStruct> dg_struct{TS2};
device_global<TestStruct[2]> dg_struct_arr{TS1, TS2};
class with_constructor {
public:
  constexpr with_constructor(int a, int b) : sum_(a + b) {}
  int sum() const { return sum_; }

private:
  int sum_;
};
device_global<with_constructor> constructed{3, 4};
const device_global<int> constant{6};

void initial_values(sycl::queue& queue) {
  float* values = sycl::malloc_shared<float>(12, queue);
  queue
      .single_task([=] {
        values[0] = no_device_image_dg;
        values[1] = dg_int;
        values[2] = dg_int_arr[2];
        values[3] = dg_char_arr[1];
        values[4] = dg_multi_dim_arr[1][1];
        values[5] = dg_float_arr[3];
        values[6] = static_cast<float>(dg_double);
        values[7] = dg_bool_arr[2];
        values[8] = dg_struct.get().field3;
        values[9] = dg_struct_arr[1].field4[3];
        values[10] = constructed.get().sum();
        values[11] = constant;
        dg_int = 50;
      })
      .wait();
  // INITIAL: 3 5 3 52 6 9.33 3.56543 1 2.4 4 7 6
  for (int i = 0; i < 12; ++i)
    std::printf("%g ", values[i]);
  int copied[2];
  queue.copy(dg_int, &copied[0]);
  queue.copy(constant, &copied[1]);
  queue.wait();
  // INITIAL: 50 6
  std::printf("\n%d %d\n", copied[0], copied[1]);
  sycl::free(values, queue);
}
#endif

template <class Function>
void report(const Function& function) {
  try {
    function();
  } catch (const sycl::exception& error) {
    std::printf("%d %s\n", error.code().value(), error.what());
  }
}

int main(int, char** argv) {
  sycl::queue queue{sycl::property::queue::in_order()};
#if __cpp_consteval
  initial_values(queue);
#endif
  for (int i = 0; i < 3; ++i)
    queue.single_task([] {
      counter = counter + count();
      own = own + 100;
    });
  int values[3];
  queue.copy(counter, &values[0]);
  queue.copy(own, &values[1]);
  queue.copy(everywhere, &values[2]);
  queue.wait();
  // CHECK: counter 6, own 300, other's own 3, everywhere 3
  std::printf("counter %d, own %d, other's own %d, everywhere %d\n", values[0], values[1], calls(queue), values[2]);

  for (int round = 0; round < 3; ++round) {
    void* library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    auto* run = reinterpret_cast<int (*)(sycl::queue*, int*)>(dlsym(library, "run_library"));
    const int first = run(&queue, values);
    const int second = run(&queue, values);
    dlclose(library);
    // What belongs to the library goes with it.
    // CHECK: state 1 2, everywhere 23
    // CHECK: state 1 2, everywhere 43
    // CHECK: state 1 2, everywhere 63
    std::printf("state %d %d, everywhere %d\n", first, second, *values);
  }

  // CHECK: device global 'scoped_in_two' has property device_image_scope, but kernels of 2 translation units use it
  report([&] { queue.single_task([] { scoped_in_two = scoped_in_two + 1; }); });
  // CHECK: copy: device global 'scoped_in_two' has property device_image_scope, but kernels of 2 translation units use it
  report([&] { queue.copy(scoped_in_two, values); });
  // CHECK: copy: device global 'copied_only' has property device_image_scope, but no kernel uses it
  report([&] { queue.copy(copied_only, values); });
}
// UNDEFINED: undefined {{symbol|reference}}{{.*}}counter
