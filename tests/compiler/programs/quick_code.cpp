// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel whose code was made quickly takes better code once it has run for some time, while threads launch it; what it
// computes stays the same. The next process begins with the better code, and one that launches it seldom with the quick one.
//
// RUN: falx++ %s -o %t
// RUN: rm -rf %t.cache
// RUN: env FALX_DEVICE_SELECTOR=cpu FALX_AHEAD=off FALX_CACHE_DIR=%t.cache %t once | FileCheck %s --check-prefix=FIRST
// RUN: env FALX_DEVICE_SELECTOR=cpu FALX_AHEAD=off FALX_CACHE_DIR=%t.cache %t once | FileCheck %s --check-prefix=FOUND
// RUN: env FALX_DEVICE_SELECTOR=cpu FALX_AHEAD=off FALX_CACHE_DIR=%t.cache %t often | FileCheck %s --check-prefix=BETTER
// RUN: env FALX_DEVICE_SELECTOR=cpu FALX_AHEAD=off FALX_CACHE_DIR=%t.cache %t once | FileCheck %s --check-prefix=FOUND
// RUN: env FALX_DEVICE_SELECTOR=cpu FALX_TIER=best FALX_CACHE_DIR=%t.cache %t once | FileCheck %s --check-prefix=FOUND
// RUN: env FALX_DEVICE_SELECTOR=cpu FALX_AHEAD=off FALX_TIER=best FALX_CACHE=off %t long | FileCheck %s --check-prefix=FIRST
// RUN: env FALX_DEVICE_SELECTOR=cpu FALX_AHEAD=off FALX_TIER=quick FALX_CACHE=off %t long | FileCheck %s --check-prefix=FIRST
//
// FIRST: right, compiled 1
// FOUND: right, compiled 0
// BETTER: right, compiled 1
#include "falx/cache.hpp"

#include <sycl/sycl.hpp>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <functional>
#include <string>
#include <thread>

constexpr int SIZE = 512;

/// Launches the kernel, in order, as long as \p goes_on says.
bool run(const std::function<bool()>& goes_on) {
  sycl::queue queue{sycl::property::queue::in_order()};
  int* sums = sycl::malloc_shared<int>(SIZE, queue);
  std::fill_n(sums, SIZE, 0);
  int launches = 0;
  do {
    for (int i = 0; i < 100; ++i, ++launches)
      queue.parallel_for(sycl::range<1>(SIZE), [=](sycl::id<1> id) {
        const int i = static_cast<int>(id[0]);
        for (int round = 0; round < 16; ++round)
          sums[i] += (i ^ round) & 3;
      });
    queue.wait();
  } while (goes_on());
  bool is_right = true;
  for (int i = 0; i < SIZE; ++i)
    is_right = is_right && sums[i] == 24 * launches;
  sycl::free(sums, queue);
  return is_right;
}

int main(int, char** arguments) {
  const std::string how = arguments[1];
  const auto start = std::chrono::steady_clock::now();
  const auto lasts = [&](int seconds) {
    return std::chrono::steady_clock::now() - start < std::chrono::seconds(seconds);
  };
  std::atomic<bool> is_right{true};
  const auto work = [&] {
    const bool mine = run([&] {
      // Often: until there is better code, and a little longer.
      return how == "often" ? lasts(60) && falx::jit_compilations() == 0 : how == "long" && lasts(1);
    });
    is_right = is_right && mine && run([] { return false; });
  };
  if (how == "often") {
    std::thread other(work);
    work();
    other.join();
  } else {
    work();
  }
  std::printf("%s, compiled %d\n", is_right ? "right" : "wrong", static_cast<int>(falx::jit_compilations()));
}
