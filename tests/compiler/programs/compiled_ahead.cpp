// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Idle processors compile kernels before they are launched, as the source has them; FALX_AHEAD=off, and code that is in the
// cache, leave them idle. Whoever compiles, each kernel that is launched counts once.
//
// RUN: falx++ %s -o %t
// RUN: env FALX_DEVICE_SELECTOR=cpu FALX_CACHE=off %t some | FileCheck %s --check-prefixes=RESULT,FOUR
// RUN: env FALX_DEVICE_SELECTOR=cpu FALX_CACHE=off FALX_AHEAD=off %t none | FileCheck %s --check-prefixes=RESULT,FOUR
// RUN: rm -rf %t.cache
// RUN: env FALX_DEVICE_SELECTOR=cpu FALX_CACHE_DIR=%t.cache %t some | FileCheck %s --check-prefixes=RESULT,FOUR
// RUN: env FALX_DEVICE_SELECTOR=cpu FALX_CACHE_DIR=%t.cache %t none | FileCheck %s --check-prefixes=RESULT,NONE
//
// RESULT: 1 4 9 16
// FOUR: compiled 4
// NONE: compiled 0
#include "falx/cache.hpp"

#include <sycl/sycl.hpp>

#include <chrono>
#include <cstdio>
#include <string>
#include <thread>

template <int Number>
void launch(sycl::queue& queue, int* results) {
  queue.parallel_for(sycl::range<1>(1), [=](sycl::id<1> i) { results[Number - 1 + i[0]] = Number * Number; }).wait();
}

int main(int, char** arguments) {
  sycl::queue queue;
  int* results = sycl::malloc_shared<int>(4, queue);
  launch<1>(queue, results);
  // Where there is a second processor, it becomes idle at some time.
  if (arguments[1] == std::string("some") && std::thread::hardware_concurrency() > 1)
    for (int i = 0; i < 300 && falx::kernels_compiled_ahead().made == 0; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
  launch<2>(queue, results);
  launch<3>(queue, results);
  launch<4>(queue, results);
  std::printf("%d %d %d %d\n", results[0], results[1], results[2], results[3]);
  std::printf("compiled %d\n", static_cast<int>(falx::jit_compilations()));
  const falx::compilations_ahead ahead = falx::kernels_compiled_ahead();
  const bool is_right = arguments[1] == std::string("none") ? ahead.made == 0 : ahead.used <= ahead.made;
  sycl::free(results, queue);
  return is_right ? 0 : 1;
}
