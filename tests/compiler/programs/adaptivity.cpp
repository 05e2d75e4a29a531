// FALX_ADAPTIVITY=2: versions for what launches have in common, remembered for the next process.
// RUN: %falxpp -O2 %s -o %t.exe
// RUN: rm -rf %t.cache
// RUN: env FALX_CACHE=off FALX_ADAPTIVITY=1 %t.exe | FileCheck %s --check-prefix=OFF
// RUN: env FALX_CACHE=off FALX_ADAPTIVITY=0 %t.exe | FileCheck %s --check-prefix=OFF
// RUN: env FALX_CACHE=off %t.exe | FileCheck %s --check-prefix=OFF
// OFF:      first launch: 1
// OFF-NEXT: five more: 1
// OFF-NEXT: other values: 1
// OFF-NEXT: six of them: 1
// OFF-NEXT: all values: 1
// RUN: env FALX_CACHE=off FALX_ADAPTIVITY=2 %t.exe | FileCheck %s --check-prefix=ON
// RUN: env FALX_CACHE_DIR=%t.cache FALX_ADAPTIVITY=2 %t.exe | FileCheck %s --check-prefix=ON
// ON:      first launch: 1
// ON-NEXT: five more: 2
// ON-NEXT: other values: 2
// ON-NEXT: six of them: 3
// ON-NEXT: all values: 5
//
// The next process loads what it needs and compiles nothing. Without the compiled kernels, it compiles the
// version for the first launch at once, and the generic one never.
// RUN: env FALX_CACHE_DIR=%t.cache FALX_ADAPTIVITY=2 %t.exe | FileCheck %s --check-prefix=WARM
// WARM:      first launch: 0
// WARM-NEXT: five more: 0
// WARM-NEXT: other values: 0
// WARM-NEXT: six of them: 0
// WARM-NEXT: all values: 0
// RUN: %python %S/Inputs/damage_learned.py %t.cache kernels
// RUN: env FALX_CACHE_DIR=%t.cache FALX_ADAPTIVITY=2 %t.exe | FileCheck %s --check-prefix=REMEMBERED
// REMEMBERED:      first launch: 1
// REMEMBERED-NEXT: five more: 1
// REMEMBERED-NEXT: other values: 2
// REMEMBERED-NEXT: six of them: 2
// REMEMBERED-NEXT: all values: 4
//
// A damaged memory is as good as none; the kernels are still there.
// RUN: %python %S/Inputs/damage_learned.py %t.cache memory
// RUN: env FALX_CACHE_DIR=%t.cache FALX_ADAPTIVITY=2 %t.exe | FileCheck %s --check-prefix=FORGOTTEN
// FORGOTTEN:      first launch: 1
// FORGOTTEN-NEXT: five more: 1
// FORGOTTEN-NEXT: other values: 1
// FORGOTTEN-NEXT: six of them: 1
// FORGOTTEN-NEXT: all values: 1
//
// RUN: env FALX_ADAPTIVITY=high not %t.exe 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: env FALX_ADAPTIVITY=-1 not %t.exe 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: FALX_ADAPTIVITY={{high|-1}} is wrong: it takes 0, 1 or 2
#include <falx/cache.hpp>
#include <sycl/sycl.hpp>

#include <cstdio>

int main() try {
  sycl::queue queue(sycl::cpu_selector_v);
  constexpr int COUNT = 64;
  int* result = sycl::malloc_shared<int>(COUNT, queue);
  bool right = true;
  const auto run = [&](int factor, double offset, int times) {
    for (int i = 0; i < times; ++i)
      queue
          .parallel_for(
              COUNT, [=](sycl::id<1> i) { result[i] = static_cast<int>(i[0]) * factor + static_cast<int>(offset); })
          .wait();
    for (int i = 0; i < COUNT; ++i)
      right &= result[i] == i * factor + static_cast<int>(offset);
  };
  const auto report = [&](const char* what) {
    if (right)
      std::printf("%s: %d\n", what, static_cast<int>(falx::jit_compilations()));
  };
  run(3, 0.5, 1);
  report("first launch");
  run(3, 0.5, 5);
  report("five more");
  run(5, 0.5, 1);
  report("other values");
  run(5, 0.5, 5);
  report("six of them");
  for (int i = 0; i < 100; ++i)
    run(i, 0.5, 1);
  for (int i = 0; i < 100; ++i)
    run(i, i, 1);
  report("all values");
  sycl::free(result, queue);
} catch (const sycl::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
